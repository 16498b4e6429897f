/**
 * Owns waiting for something for so long and no longer. Leaves what follows to its callers: neither end is told apart.
 */
export async function withinTime(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
