import type { ProductData } from '@balcao/contract/kinds.ts'
import { countFrom, lineFrom, pageFrom, textFrom } from '../text.ts'
import { kindOf } from './kind.ts'

/** Prices of a catalogue are in thousandths (`priceAmount1000`). */
const THOUSANDTHS = 1_000

export const productKind = kindOf(
  ['productMessage'],
  {
    name: 'product of a catalogue',
    bubble: 'a card with title, price, description and address',
    words: 'what was written with it, title and description',
  },
  part => {
    const { title, description, currencyCode, priceAmount1000, salePriceAmount1000, url } = part.product ?? {}
    const price = countFrom(salePriceAmount1000) || countFrom(priceAmount1000)
    const data: ProductData = {
      title: lineFrom(title ?? part.catalog?.title),
      description: textFrom(description ?? part.catalog?.description, 2_000).trim(),
      price: price === null ? null : price / THOUSANDTHS,
      currency: /^[A-Z]{3}$/.test(lineFrom(currencyCode)) ? lineFrom(currencyCode) : '',
      url: pageFrom(url),
      note: textFrom(part.body, 2_000),
    }
    const body = [data.note, data.title, data.description].filter(Boolean).join('\n')
    return { mediaType: 'productMessage', body, data }
  },
)
