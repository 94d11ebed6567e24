import { z } from 'zod';
import { headers, isWebAddress, oneOf, setting, share } from './setting.ts';

/** Settings of the traces of the server's own work. */
export const OWN_TRACES_SETTINGS = {
  ownTracesEndpoint: setting<URL | null>({
    meaning:
      'Address to which the server sends traces of its own work, by OTLP over HTTP (protobuf); without a path, `/v1/traces` is appended. Nothing is sent by default; see docs/operations.md.',
    default: null,
    example: 'https://collector.example.com:4318/v1/traces',
    allowed: 'an address that begins with http:// or https://',
    parse: z
      .string()
      .refine(isWebAddress)
      .transform((text) => {
        const url = new URL(text);
        if (url.pathname === '/') url.pathname = '/v1/traces';
        return url;
      }),
    secret: true,
  }),
  ownTracesHeaders: setting({
    meaning:
      'Headers of these requests, such as an API key: `name=value`, separated by commas; values are percent-decoded.',
    default: '',
    example: 'x-api-key=sk_A1b2,x-application-id=7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
    allowed: 'a list such as name=value,other=value',
    parse: headers,
    secret: true,
  }),
  ownTracesRatio: setting({
    meaning:
      'Share of the requests and jobs that are traced, 0 to 1. Requests whose `traceparent` is sampled are always traced.',
    default: '0.05',
    example: '1',
    allowed: 'a number from 0 to 1, such as 0.05',
    parse: share,
  }),
  ownTracesServiceName: setting({
    meaning: '`service.name` of these traces.',
    default: 'touchstone',
    example: 'touchstone-eu',
    allowed: 'a text of 1 to 128 characters',
    parse: z.string().min(1).max(128),
  }),
  ownTracesToSelf: setting({
    meaning: 'Whether the endpoint of these traces may be this server itself.',
    default: 'reject',
    example: 'allow',
    allowed: 'one of reject, allow',
    parse: oneOf('reject', 'allow'),
  }),
} as const;
