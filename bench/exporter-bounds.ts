/**
 * Measures what apps take whose spans no server takes in time: memory and the longest stop of their event loop, under a limit of memory
 * that the kernel enforces. Run with `npm run bench:exporter-bounds`; with a regular expression as argument, only situations whose title
 * matches.
 */
import { CONTAINER_MIB, LANGUAGES, measure, SITUATIONS } from '../test/exporters/bounds/measure.ts';

const pattern = new RegExp(process.argv[2] ?? '');
console.log(
  `| Situation | App | Memory idle → peak, of ${CONTAINER_MIB} MiB | Longest stop | Spans sent, lost |\n|---|---|---|---|---|`,
);
for (const situation of SITUATIONS.filter(({ title }) => pattern.test(title))) {
  for (const language of LANGUAGES) {
    const { idleMib, peakMib, pauseMs, stats } = await measure(language, situation);
    const { exported = 0, ended = 0 } = stats;
    const cells = [
      situation.title,
      language,
      `${idleMib.toFixed(0)} → ${peakMib.toFixed(0)} MiB`,
      `${pauseMs.toFixed(0)} ms`,
      `${exported}, ${ended - exported}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
