import { mayForward } from '@balcao/contract/messages.rules.ts'
import { MAX_FORWARDED, type Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconArrowForwardUp, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { endSelection } from '../thread/selection.ts'
import { useForwardText } from './actions.text.ts'
import classes from './forward.module.css'

interface Props {
  ids: ReadonlySet<string>
  messages: Message[]
  onForward(messages: Message[]): void
}

/** Replaces the composer while messages are being selected; Escape ends it. */
export function SelectionBar({ ids, messages, onForward }: Props) {
  const t = useForwardText()
  useEscape(endSelection)
  useEffect(() => endSelection, [])
  const chosen = messages.filter(message => ids.has(message.id) && mayForward(message))
  return (
    <section className={classes.bar} aria-label={t('select')}>
      <span role="status">
        <strong>{t('selected', { count: chosen.length })}</strong>
        {ids.size >= MAX_FORWARDED && ` · ${t('atMost', { count: MAX_FORWARDED })}`}
      </span>
      <IconButton label={t('cancel')} shortcut="Esc" onClick={endSelection}>
        <IconX size={18} stroke={1.75} />
      </IconButton>
      <Button
        disabled={chosen.length === 0}
        leftSection={<IconArrowForwardUp size={18} />}
        onClick={() => onForward(chosen)}
      >
        {t('forward')}
      </Button>
    </section>
  )
}

/** Wherever the focus is; a dialog above closes first. */
function useEscape(act: () => void) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[role=dialog]')) return
      act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [act])
}
