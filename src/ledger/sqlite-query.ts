/**
 * Owns running one statement of SQL after another.
 * Leaves the statements to the rows, and errors to whoever gives the guard. Rule: each is prepared once; preparing
 * costs more than most of them do.
 */
import type { Database, SqlRow, SqlValue, Statement } from "./driver.ts";

export interface Query {
  run(sql: string, ...values: SqlValue[]): void;
  one(sql: string, ...values: SqlValue[]): SqlRow | undefined;
  all(sql: string, ...values: SqlValue[]): readonly SqlRow[];
}

export function openQuery(database: Database, guard: <T>(act: () => T) => T): Query {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, ...values) => void guard(() => prepare(sql).run(...values)),
    one: (sql, ...values) => guard(() => prepare(sql).get(...values)) as SqlRow | undefined,
    all: (sql, ...values) => guard(() => prepare(sql).all(...values)) as readonly SqlRow[],
  };
}
