import { folded } from '@balcao/contract/words.rules.ts'
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'

/** What the text typed into a select finds: labels in any case, with or without accents, also inside groups. */
export const foldedOptions: OptionsFilter = ({ options, search, limit }) => {
  const sought = folded(search.trim())
  let left = limit
  const fitting = (items: ComboboxItem[]) => {
    const found = items.filter(({ label }) => folded(label).includes(sought)).slice(0, left)
    left -= found.length
    return found
  }
  return options.flatMap((one): ComboboxParsedItem[] =>
    'group' in one ? [{ ...one, items: fitting(one.items) }] : fitting([one]),
  )
}
