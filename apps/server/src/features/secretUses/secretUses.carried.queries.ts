import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfSecretUses: Carried[] = [
  leftBehind('secret_uses', 'tokens and ids that were called with at the other installation'),
]
