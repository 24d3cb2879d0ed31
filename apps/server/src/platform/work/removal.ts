import type { Scope, Tx } from '../scope.ts'

/** Records of one commit: some tenths of a second. */
const PIECE = 100

/**
 * Removes something to which many records belong, at most `most` of them a commit, so that thousands delay no other call.
 * `remove` answers whether more may be left. After a crash what is removed is still there with the rest of its records, and is
 * removed by the next call.
 */
export async function removeInPieces(
  scope: Scope,
  remove: (tx: Tx, most: number) => Promise<boolean>,
): Promise<void> {
  while (await scope.transaction(tx => remove(tx, PIECE)));
}
