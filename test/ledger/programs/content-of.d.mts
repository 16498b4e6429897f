export function contentOf(id: string, n: number): string;
