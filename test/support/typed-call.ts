/** Types of calls by the API document: the body that a call takes, and the body of its successful response. */
import type { paths } from '../../src/api/generated/schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `/v0/tags/{id}` as the addresses of its calls: `/v0/tags/${string}`. */
type Addresses<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Addresses<After>}`
  : Path;
/** A tuple as long as an address has slashes. */
type Slashes<Address extends string> = Address extends `${string}/${infer Rest}`
  ? [true, ...Slashes<Rest>]
  : [];
type WithoutQuery<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address;

/** Path of the document that an address belongs to; a path without parameters goes first. */
type PathOf<Address extends string> = Address extends keyof paths
  ? Address
  : {
      [Path in keyof paths]: Address extends Addresses<Path>
        ? Slashes<Address> extends Slashes<Path>
          ? Path
          : never
        : never;
    }[keyof paths];

type Operation<M extends Method, Address extends string> =
  paths[PathOf<WithoutQuery<Address>>] extends Record<Lowercase<M>, infer Found> ? Found : never;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

/** Body that a call takes. */
export type BodyOf<M extends Method, Address extends string> =
  Operation<M, Address> extends { requestBody?: infer Request } ? Json<Request> : never;

/** Body of the successful response to a call; undefined if the response has none, and unknown if the document has no such call. */
export type AnswerOf<M extends Method, Address extends string> = [Operation<M, Address>] extends [never]
  ? unknown
  : Operation<M, Address> extends { responses: infer Responses }
    ? JsonOrNone<Json<Responses[keyof Responses & (200 | 201 | 202 | 207)]>>
    : never;
type JsonOrNone<Body> = [Body] extends [never] ? undefined : Body;

/** Makes a call that must succeed, and returns the body of its response. */
export type TypedCall = <M extends Method, const Address extends string>(
  method: M,
  address: Address,
  call?: { headers?: Readonly<Record<string, string | null>>; body?: BodyOf<M, Address> },
) => Promise<AnswerOf<M, Address>>;
