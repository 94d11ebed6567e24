/** Catches signals from now on, so that they do not end the process. */
export function watchInterrupt(): Disposable & { came: () => boolean } {
  let came = false;
  const onSignal = (): void => {
    came = true;
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    came: () => came,
    [Symbol.dispose]: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}
