import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfCharges: Carried[] = [leftBehind('charges', "at the other operator's provider")]
