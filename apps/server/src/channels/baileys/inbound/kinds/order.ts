import { orderWords } from '@balcao/contract/kinds.rules.ts'
import { orderFrom } from '../orders.ts'
import { kindOf } from './kind.ts'

export const orderKind = kindOf(
  ['orderMessage'],
  { name: 'order', bubble: 'items, prices and total', words: 'its note and what is ordered' },
  part => {
    const data = orderFrom(part)
    return { mediaType: 'order', body: orderWords(data.note ?? '', data), data }
  },
)
