import type { Io } from './io.ts';

/** Description of the build that runs the tests; fields that are unknown are null. */
export interface Provenance {
  commit: string | null;
  branch: string | null;
  pullRequest: string | null;
  author: string | null;
  buildUrl: string | null;
}

type Env = Io['env'];
type Read = (env: Env) => Partial<Record<keyof Provenance, string | undefined>>;

const BRANCH = /^refs\/heads\//;
const PULL_REQUEST = /^refs\/pull\/(\d+)\//;

/** CI systems: the variable by which each is recognised, and the variables that it sets. */
const SYSTEMS: readonly { isSet: string; read: Read }[] = [
  {
    isSet: 'GITHUB_ACTIONS',
    read: (env) => ({
      commit: env['GITHUB_SHA'],
      branch: env['GITHUB_HEAD_REF'] || env['GITHUB_REF_NAME'],
      pullRequest: PULL_REQUEST.exec(env['GITHUB_REF'] ?? '')?.[1],
      author: env['GITHUB_ACTOR'],
      buildUrl: joined(
        env,
        ['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_RUN_ID'],
        (url, name, id) => `${url}/${name}/actions/runs/${id}`,
      ),
    }),
  },
  {
    isSet: 'GITLAB_CI',
    read: (env) => ({
      commit: env['CI_COMMIT_SHA'],
      branch:
        env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'] || env['CI_COMMIT_BRANCH'] || env['CI_COMMIT_REF_NAME'],
      pullRequest: env['CI_MERGE_REQUEST_IID'],
      author: env['GITLAB_USER_LOGIN'],
      buildUrl: env['CI_PIPELINE_URL'] || env['CI_JOB_URL'],
    }),
  },
  {
    isSet: 'JENKINS_URL',
    read: (env) => ({
      commit: env['GIT_COMMIT'],
      branch: env['CHANGE_BRANCH'] || env['BRANCH_NAME'] || env['GIT_BRANCH']?.replace(/^origin\//, ''),
      pullRequest: env['CHANGE_ID'],
      author: env['CHANGE_AUTHOR'],
      buildUrl: env['BUILD_URL'],
    }),
  },
  {
    isSet: 'TF_BUILD',
    read: (env) => ({
      commit: env['BUILD_SOURCEVERSION'],
      branch: (env['SYSTEM_PULLREQUEST_SOURCEBRANCH'] || env['BUILD_SOURCEBRANCH'])?.replace(BRANCH, ''),
      pullRequest: env['SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'] || env['SYSTEM_PULLREQUEST_PULLREQUESTID'],
      author: env['BUILD_REQUESTEDFOR'],
      buildUrl: joined(
        env,
        ['SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMPROJECT', 'BUILD_BUILDID'],
        (url, name, id) => `${url}${encodeURIComponent(name)}/_build/results?buildId=${id}`,
      ),
    }),
  },
  {
    isSet: 'CIRCLECI',
    read: (env) => ({
      commit: env['CIRCLE_SHA1'],
      branch: env['CIRCLE_BRANCH'],
      pullRequest: /\/(\d+)$/.exec(env['CIRCLE_PULL_REQUEST'] ?? '')?.[1],
      author: env['CIRCLE_USERNAME'],
      buildUrl: env['CIRCLE_BUILD_URL'],
    }),
  },
  {
    isSet: 'BUILDKITE',
    read: (env) => ({
      commit: env['BUILDKITE_COMMIT'],
      branch: env['BUILDKITE_BRANCH'],
      pullRequest: env['BUILDKITE_PULL_REQUEST'] === 'false' ? undefined : env['BUILDKITE_PULL_REQUEST'],
      author: env['BUILDKITE_BUILD_AUTHOR'] || env['BUILDKITE_BUILD_CREATOR'],
      buildUrl: env['BUILDKITE_BUILD_URL'],
    }),
  },
];

/** Most characters of a field; the server takes no more. */
const MAX_CHARACTERS = 256;
const MAX_URL_CHARACTERS = 2_000;

/** Reads what the variables of GitHub, GitLab, Jenkins, Azure, CircleCI and Buildkite say of a build. */
export function provenanceOf(env: Env): Provenance {
  const found = SYSTEMS.find(({ isSet }) => env[isSet])?.read(env) ?? {};
  const field = (name: keyof Provenance): string | null =>
    found[name]?.trim().slice(0, MAX_CHARACTERS) || null;
  return {
    commit: field('commit'),
    branch: field('branch'),
    pullRequest: field('pullRequest'),
    author: field('author'),
    buildUrl: webAddress(found.buildUrl),
  };
}

/** Returns an address of a web page; null for anything else, because no build should fail by its address. */
function webAddress(text: string | undefined): string | null {
  const url = URL.parse(text ?? '');
  const isOfWeb = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL_CHARACTERS;
  return isOfWeb ? url.href : null;
}

/** Joins the values of three variables; undefined if one is missing. */
function joined(
  env: Env,
  [first, second, third]: readonly [string, string, string],
  join: (a: string, b: string, c: string) => string,
): string | undefined {
  const [a, b, c] = [env[first], env[second], env[third]];
  return a && b && c ? join(a, b, c) : undefined;
}
