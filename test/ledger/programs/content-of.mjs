// The result of call `n` of a session, which tests make anew to compare: of many sizes, some of them the same.
export function contentOf(id, n) {
  if (n % 5 === 0) return "the same in all\n".repeat(500);
  const lines = n % 50 === 7 ? 8_000 : (n * 31) % 400;
  return `${id} ${n} 😀\n`.repeat(lines);
}
