/** Writes the fields of a form; those without a value are left out. The file comes last, as the server reads it. */
export function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string' || value instanceof Blob) form.append(name, value);
  return form;
}
