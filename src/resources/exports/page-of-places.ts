/** Most characters of one page, unless its first row has more. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Returns as many of the first rows as a page may have, at least one. */
export function pageOfPlaces<Place extends { characters: number }>(
  places: readonly Place[],
): readonly Place[] {
  let characters = 0;
  const end = places.findIndex((place, index) => {
    characters += place.characters;
    return index > 0 && characters > MAX_PAGE_CHARACTERS;
  });
  return end === -1 ? places : places.slice(0, end);
}
