/** Columns of the tables of the schema before the first release, by table. */
export const COLUMNS_OF_UNRELEASED: Readonly<Record<string, string>> = {
  annotation_queue: 'id application topic_id title assignee_id created_at modified_at',
  annotation_queue_item: 'id application queue_id trace_id selection completed_at expires_at created_at',
  api_key: 'id application key_id hash name scopes created_at updated_at expires_at revoked_at',
  application:
    'application id org_id title slug description context language type environment human_annotation_enabled created_at modified_at',
  chunk: 'ck skeleton payload',
  closed_step: 'tkey end_id span_id',
  conversation: 'id application quickstart_id upload_id task_id external_id turn_count characters created_at',
  conversation_turn: 'id application conversation_id role content',
  definition:
    'id application name type status scope global_config style_guide_id quickstart_id version repeats gate_min_kappa created_at modified_at',
  definition_link: 'id application definition_id kind target_id config created_at',
  delivery:
    'id application test_id attempt is_sample replay_of url span_id request_headers request_body sent_at outcome status_code message response_headers response_body timings finished_at',
  document:
    'application id type status title optimized is_verified assignee scrape_job_id file_processing_id topic_id quickstart_id current_version chunk_count created_at modified_at',
  document_chunk: 'key application document_id position starts_at ends_at text',
  document_version:
    'key application document_id version_number id title language status type created_at modified_at preview metadata original_sentences content',
  eval: 'id application definition_id definition_version definition_type test_id trace_id task_id run_id run_type status score normalised passed version superseded cost latency_ms created_at modified_at input_hash reason results judge input_tokens output_tokens',
  experiment:
    'id application title description status inference_step_ids task_ids assignee created_at modified_at',
  experiment_variant:
    'id application experiment_id title description status config_patch parent_id started_at created_at modified_at',
  figure:
    'application kind id tests pass_rate error_rate monitoring_pass_rate health deviation due_at ready_at version',
  human_annotation:
    'id application trace_id verdict critique annotator_id source queue_item_id created_at modified_at',
  idempotency: 'application key request_hash response created_at',
  inference_step: 'id application type external_id title description created_at modified_at',
  job: 'id application kind key state attempts due_at epoch reason created_at begun cuts',
  job_epoch: 'epoch',
  judge_call:
    'application eval_id hash repeat run_id judge model input_tokens output_tokens cost latency_ms attempts created_at request raw',
  judge_day: 'day application cost',
  ledger: 'application hour key_id requests received stored duplicate replaced rejected reasons notices',
  monitored_trace: 'application trace_id due_at',
  monitoring: 'last_tkey',
  open_step: 'tkey match start_ns span_id',
  ordinal: 'i',
  organisation: 'id created_at',
  purge: 'tkey application trace_id',
  quickstart: 'id application name status style_guide_id reason created_at modified_at',
  refresh: 'tkey due_at',
  rejection: 'id application at key_id source reason message spans trace_id span_id',
  resource: 'application hash refs bytes',
  rewrite: 'tkey due_at',
  run: 'id application task_id type experiment_variant_id created_at modified_at',
  sample_test: 'application test_id created_at',
  scrape_job:
    'id application initiated_by name url status quickstart_status quickstart_id options reason created_at modified_at',
  scrape_page: 'application job_id seq depth state url final_url title description error content',
  session: 'application id first_ns last_ns',
  span: 'tkey span_id hash chunk',
  span_log: 'id application trace_id span_id hash tkey received_at record',
  style_guide: 'id application quickstart_id content created_at modified_at',
  tag: 'id application name color description status created_at modified_at',
  task: 'id application title description type status input_examples metadata simulated_prompt_schema topic_id quickstart_id is_verified created_at modified_at figure_status confidence_level stability_level health_level schedule_criticality',
  task_schedule: 'task_id application criticality cron timezone enabled next_run_at last_run_at',
  task_tag: 'application task_id tag_id',
  test: 'id application task_id run_id run_type status phase failure prompt prompt_object example_index metadata experiment experiment_id experiment_variant_id trace_id delivered_at unknown_since last_span_at check_at created_at modified_at finished_evals passed_evals counted_evals counted_passed has_error',
  test_event: 'id application test_id at phase detail',
  tombstone: 'application trace_id deleted_at',
  topic:
    'id application title baseline status quickstart_id assigned_to is_tasks_verified is_documents_verified is_knowledge_base_verified is_policies_verified created_at modified_at',
  trace:
    'tkey application trace_id native start_ns end_ns received_at updated_at next_seq span_count error_count input_tokens output_tokens cost kinds flags root_rank root_ns root_name session_id user_id models services rule_set total_tokens cache_read_tokens cache_write_tokens reasoning_tokens attributes',
  trace_attr: 'application key value tkey',
  trace_preview:
    'tkey input input_rank input_ns output output_rank output_ns metadata metadata_rank metadata_ns',
  trace_test: 'application test_id tkey first_ns via',
  upload:
    'id application quickstart_id file_name file_size status material_type error_message report created_at modified_at',
  upload_part: 'application upload_id seq bytes',
  variant_start: 'variant_id application repeat started_at remaining task tests run_id task_ids experiment',
  webhook:
    'application id url headers secret previous_secret previous_until timeout_ms enabled created_at modified_at',
};
