/** Logins, members, invitations, and the record of who changed what. */
import type { Case, Step } from '../../case.ts';
import { missing } from '../../lists.ts';
import { invalid, MESSAGE, page, UNKNOWN } from '../../records.ts';
import { inAnyOrder, INTEGER, listOf, only, orNull, TEXT, TIME, UUID } from '../../shapes.ts';

const EMAIL = 'ada.{{application.id}}@example.com';
const PASSWORD = 'correct horse battery';
/** Of calls that only the cookie is for. */
const BROWSER = { 'x-api-key': null, cookie: '{{cookie.value}}', 'x-csrf': '{{login.csrf}}' } as const;
const MEMBERS = '/v0/applications/{{application.id}}/members';
const INVITATIONS = '/v0/applications/{{application.id}}/invitations';

const invited: Step = {
  as: 'invited',
  whole: true,
  request: `POST ${INVITATIONS}`,
  body: { email: EMAIL, role: 'editor' },
};
/** The token of a link is the same as in the link. */
const signedIn: readonly Step[] = [
  invited,
  {
    as: 'login',
    request: 'POST /v0/login/invitation',
    body: { token: '{{invited.link|token}}', name: 'Ada', password: PASSWORD },
  },
];
const withKey: Step = { as: 'login', request: 'POST /v0/login', body: { apiKey: '{{apiKey.key}}' } };

const LOGIN = only({
  user: orNull(only({ id: UUID, name: 'Ada', email: EMAIL })),
  apiKey: orNull(only({ id: UUID, name: TEXT })),
  csrf: /^[\w-]{43}$/,
  expiresAt: TIME,
  applications: listOf(
    only({ id: '{{application.id}}', name: TEXT, role: orNull(TEXT), scopes: listOf(TEXT) }),
  ),
});
const MEMBER = only({
  id: '{{login.user.id}}',
  name: 'Ada',
  email: EMAIL,
  role: 'editor',
  createdAt: TIME,
  modifiedAt: TIME,
});
const INVITATION = only({ id: UUID, email: EMAIL, role: 'editor', createdAt: TIME, expiresAt: TIME });

export const SIGN_IN: readonly Case[] = [
  {
    name: 'a browser signs in with an API key',
    line: 'Login.*',
    request: 'POST /v0/login',
    body: { apiKey: '{{apiKey.key}}' },
    status: 200,
    contains: LOGIN,
    answerHeaders: { 'set-cookie': /^touchstone_login=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\// },
  },
  {
    name: 'a person signs in with a password',
    given: signedIn,
    request: 'POST /v0/login',
    body: { email: EMAIL, password: PASSWORD },
    status: 200,
    contains: LOGIN,
  },
  {
    name: 'a wrong password is rejected',
    request: 'POST /v0/login',
    body: { email: EMAIL, password: 'wrong' },
    status: 401,
    contains: MESSAGE,
  },
  {
    name: 'the login of a browser is read',
    given: [withKey],
    request: 'GET /v0/login',
    headers: BROWSER,
    status: 200,
    contains: LOGIN,
  },
  {
    name: 'a login is not read without its csrf text',
    given: [withKey],
    request: 'GET /v0/login',
    headers: { ...BROWSER, 'x-csrf': null },
    status: 403,
    contains: MESSAGE,
  },
  {
    name: 'a call with the cookie acts for the person',
    given: signedIn,
    request: 'POST /v0/tags',
    headers: BROWSER,
    body: { name: 'Urgent' },
    status: 201,
    after: { request: 'GET /v0/audit', contains: { data: listOf({ requestId: TEXT }) } },
  },
  {
    name: 'a browser signs out',
    given: [withKey],
    request: 'DELETE /v0/login',
    headers: BROWSER,
    status: 204,
    after: { request: 'GET /v0/login', headers: BROWSER, status: 401 },
  },
  {
    name: 'a person lists the own logins',
    line: 'OwnLogin.*',
    given: signedIn,
    request: 'GET /v0/logins',
    headers: BROWSER,
    status: 200,
    contains: only({
      data: listOf(
        only({
          id: /^[\da-f]{32}$/,
          createdAt: TIME,
          usedAt: TIME,
          expiresAt: TIME,
          address: orNull(TEXT),
          userAgent: orNull(TEXT),
          isCurrent: true,
        }),
      ),
    }),
  },
  {
    name: 'a person ends one of the own logins',
    given: [...signedIn, { as: 'logins', request: 'GET /v0/logins', headers: BROWSER }],
    request: 'DELETE /v0/logins/{{logins.0.id}}',
    headers: BROWSER,
    status: 204,
    after: { request: 'GET /v0/logins', headers: BROWSER, status: 401 },
  },
  {
    name: 'a person ends all other logins',
    given: signedIn,
    request: 'DELETE /v0/logins',
    headers: BROWSER,
    status: 200,
    contains: { ended: 0 },
  },
  {
    name: 'an invitation is accepted with a new account',
    given: [invited],
    request: 'POST /v0/login/invitation',
    body: { token: '{{invited.link|token}}', name: 'Ada', password: PASSWORD },
    status: 200,
    contains: LOGIN,
  },
  {
    name: 'a password of a new account is not short',
    given: [invited],
    request: 'POST /v0/login/invitation',
    body: { token: '{{invited.link|token}}', name: 'Ada', password: 'short' },
    status: 422,
    contains: invalid([['password'], 'too_small']),
  },
  {
    name: 'a link gives a person a new password',
    given: [...signedIn, { as: 'link', linkFor: EMAIL }],
    request: 'POST /v0/login/setup',
    body: { token: '{{link.token}}', name: 'Ada', email: EMAIL, password: 'another long password' },
    status: 200,
    contains: LOGIN,
  },
  {
    name: 'a person changes the password',
    given: signedIn,
    request: 'PUT /v0/login/password',
    headers: BROWSER,
    body: { currentPassword: PASSWORD, newPassword: 'another long password' },
    status: 200,
    contains: LOGIN,
  },
  {
    name: 'members are listed',
    line: 'Member.*',
    given: signedIn,
    request: `GET ${MEMBERS}`,
    status: 200,
    contains: only({ data: [MEMBER], pagination: page(1) }),
  },
  {
    name: 'the role of a member is changed',
    given: signedIn,
    request: `PUT ${MEMBERS}/{{login.user.id}}`,
    body: { role: 'admin' },
    status: 200,
    contains: { data: { role: 'admin' } },
  },
  {
    name: 'a member is removed',
    given: signedIn,
    request: `DELETE ${MEMBERS}/{{login.user.id}}`,
    status: 204,
    after: { request: `GET ${MEMBERS}`, contains: { data: [] } },
  },
  {
    name: 'a person is invited by a link',
    line: 'Invitation.*',
    request: `POST ${INVITATIONS}`,
    body: { email: EMAIL, role: 'editor' },
    status: 201,
    contains: only({ data: INVITATION, link: /^http:\/\/127\.0\.0\.1:\d+\/#invitation=[\w-]{43}$/ }),
  },
  {
    name: 'invitations are listed without their links',
    given: [invited],
    request: `GET ${INVITATIONS}`,
    status: 200,
    contains: only({ data: [INVITATION] }),
  },
  {
    name: 'an invitation is revoked',
    given: [invited],
    request: `DELETE ${INVITATIONS}/{{invited.data.id}}`,
    status: 204,
    after: {
      request: 'POST /v0/login/invitation',
      body: { token: '{{invited.link|token}}', name: 'Ada', password: PASSWORD },
      status: 403,
    },
  },
  {
    name: 'changes are recorded with who made them',
    line: 'AuditEntry.*',
    given: ['tag'],
    request: 'GET /v0/audit?action=createTag',
    status: 200,
    contains: only({
      data: inAnyOrder(
        only({
          id: INTEGER,
          createdAt: TIME,
          actor: only({ type: 'key', id: /^[0-9A-Za-z]{12}$/, name: 'First key' }),
          action: 'createTag',
          resourceId: '{{tag.id}}',
          requestId: TEXT,
          detail: null,
        }),
      ),
      pagination: page(1),
    }),
  },
  missing(`PUT ${MEMBERS}/${UNKNOWN}`, { role: 'viewer' }),
  missing(`DELETE ${INVITATIONS}/${UNKNOWN}`),
];
