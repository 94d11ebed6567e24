import { it } from 'vitest';
import { compareQueries } from '../src/resources/runs/compare.ts';
import { reliabilityQueries } from '../src/resources/definitions/reliability.ts';
import { openDatabase, temporaryFolder } from './support/storage.ts';
it('perf', () => {
  using folder = temporaryFolder();
  const db = openDatabase(folder.file('x.db'));
  const c = db.connection;
  c.exec(`INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, created_at, modified_at) VALUES ('d0',1,'n','CUSTOM','ACTIVE','{}',1,1,0,0),('d1',1,'n','CUSTOM','ACTIVE','{}',1,1,0,0),('d2',1,'n','CUSTOM','ACTIVE','{}',1,1,0,0);
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<10) INSERT INTO run (id, application, task_id,type,created_at,modified_at) SELECT 'r'||i,1,'t','MANUAL',0,0 FROM n;
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<9989) INSERT INTO test (id,application,task_id,run_id,run_type,status,phase,prompt,example_index,trace_id,created_at,modified_at) SELECT 'x'||i,1,'t'||((i/11)%450),'r'||(i%11),'MANUAL','COMPLETED','done',printf('%2000d',i),0,x'00',0,0 FROM n;
  INSERT INTO eval (id,application,definition_id,definition_version,definition_type,test_id,task_id,run_id,run_type,status,score,normalised,passed,version,superseded,created_at,modified_at,input_hash) SELECT test.id||d.id,1,d.id,1,'CUSTOM',test.id,task_id,run_id,'MANUAL','COMPLETED',1,.5,abs(random())%2,1,0,0,0,'h' FROM test, definition d;
  UPDATE test SET (finished_evals,passed_evals)=(SELECT count(*),sum(passed) FROM eval WHERE test_id=test.id);`);
  const body = { baseline: { runIds: ['r0'] }, candidates: Array.from({ length: 10 }, (_, i) => ({ runIds: [`r${i + 1}`] })), confidence: 0.95 };
  for (let i = 0; i < 2; i++) { const t = performance.now(); const r = compareQueries.compareRuns(db, { application: 1, body }); console.log('10 candidates', performance.now() - t, r.candidates[0]?.difference?.method, r.candidates[0]?.pairs); }
  const one = { baseline: { runIds: ['r0','r1','r2','r3','r4'] }, candidates: [{ runIds: ['r6','r7','r8','r9','r10'] }], confidence: 0.95 };
  for (let i = 0; i < 2; i++) { const t = performance.now(); const r = compareQueries.compareRuns(db, { application: 1, body: one }); console.log('1', performance.now() - t, r.candidates[0]?.difference?.method, r.candidates[0]?.pairs); }
  c.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<99999) INSERT INTO eval (id,application,definition_id,definition_version,definition_type,trace_id,run_type,status,score,normalised,passed,version,superseded,created_at,modified_at,input_hash,reason) SELECT 'e'||i,1,'d0',1,'CUSTOM',unhex(printf('%032x',i)),'MONITORING','COMPLETED',1,.5,1,1,0,i,0,'h',printf('%500d',i) FROM n;
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<19999) INSERT INTO human_annotation (id,application,trace_id,verdict,annotator_id,source,created_at,modified_at) SELECT 'h'||i,1,unhex(printf('%032x',i)),i%2,'a','TRACE_PAGE',i,i FROM n;`);
  for (let i = 0; i < 2; i++) { const t = performance.now(); const r = reliabilityQueries.getReliability(db, { application: 1, id: 'd0', version: null }); console.log('reliability', performance.now() - t, JSON.stringify(r.verdicts)); }
  console.log(c.prepare(`EXPLAIN QUERY PLAN SELECT passed, max(version) FROM eval WHERE application = 1 AND definition_id = 'd0' AND definition_version = 1 AND status = 'COMPLETED' AND in_time(id) GROUP BY coalesce(test_id, trace_id)`).all());
});
