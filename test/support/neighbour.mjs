// A program that opens a store, reads, writes nothing and closes it, again and again, as a shell of sqlite3, a viewer or a
// script does. Prints what it saw as a line of JSON each time. Ends with the program that started it.
import Sqlite from 'better-sqlite3';

const [file, sql, pauseMs] = process.argv.slice(2);
const parent = process.ppid;
while (process.ppid === parent) {
  try {
    const connection = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
    try {
      process.stdout.write(`${JSON.stringify({ saw: connection.prepare(sql).get() })}\n`);
    } finally {
      connection.close();
    }
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.message })}\n`);
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(pauseMs));
}
