import { type Placeholders, partsOf } from '@balcao/contract/placeholders.rules.ts'
import classes from './filled-text.module.css'

/** A text with its variables filled in and marked, also those that have no value; as it was written without `values`. */
export const FilledText = ({ text, values }: { text: string; values: Placeholders | null }) =>
  (values ? partsOf(text, values) : [{ text, kind: 'words' as const }]).map(({ text, kind }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in their order
    <span key={at} className={classes[kind]}>
      {text}
    </span>
  ))
