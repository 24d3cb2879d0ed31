import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfLeads: Carried[] = [leftBehind('leads', 'a sign-up at the other installation')]
