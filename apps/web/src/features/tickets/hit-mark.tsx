import { IconNote, IconSearch } from '@tabler/icons-react'
import { texts } from '../../platform/text.ts'
import classes from './hit-mark.module.css'

const useText = texts({
  found: ['Encontrado na conversa', 'Found in the conversation', 'Encontrado en la conversación'],
  inNote: ['Nota interna', 'Internal note', 'Nota interna'],
})

/** Where the words of a search stand: a note is not what the customer knows. */
export default function HitMark({ isNote }: { isNote: boolean }) {
  const t = useText()
  if (!isNote)
    return <IconSearch size={14} stroke={2} className={classes.found} role="img" aria-label={t('found')} />
  return (
    <span className={classes.noted}>
      <IconNote size={14} stroke={2} aria-hidden />
      {t('inNote')}:
    </span>
  )
}
