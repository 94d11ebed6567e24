/** The operation that a case calls. */
import { type ApiCall, apiCalls } from '../support/api-calls.ts';

/** A path that names no record goes before one that would take its last part for an id. */
export function callOf(request: string): ApiCall | undefined {
  const [asked = ''] = request.replaceAll(/\{\{[^}]*\}\}/g, '{id}').split('?');
  const values = asked.split('/');
  const isLike = ({ name }: ApiCall): boolean => {
    const parts = name.split('/');
    return (
      parts.length === values.length && parts.every((part, i) => part.startsWith('{') || part === values[i])
    );
  };
  return apiCalls.find(({ name }) => name === asked) ?? apiCalls.find(isLike);
}
