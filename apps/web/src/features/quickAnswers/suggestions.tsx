import { filled, type Placeholders, partsOf } from '@balcao/contract/placeholders.rules.ts'
import type { QuickAnswer } from '@balcao/contract/quickAnswers.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { useLoadOn } from '../../ui/list-screen/load-on.ts'
import { useSuggestText } from './quickAnswers.suggest.text.ts'
import { useSuggestions, wordsAfterSlash } from './quickAnswers.suggest.ts'
import classes from './suggestions.module.css'
import { useListKeys } from './use-list-keys.ts'

interface Props {
  ticket: Ticket
  /** Where it is written; its keys are the list's while the list is open. */
  input: RefObject<HTMLTextAreaElement | null>
  body: string
  /** Puts a text in the place of what is written. */
  onPick(text: string): void
}

/** The quick answers that a text beginning with `/` asks for, above the place where it is written. */
export function QuickAnswerSuggestions(props: Props) {
  const words = wordsAfterSlash(props.body)
  const [isClosed, setClosed] = useState(false)
  if (words === null && isClosed) setClosed(false)
  if (words === null || isClosed) return null
  return <Suggestions {...props} words={words} onClose={() => setClosed(true)} />
}

function Suggestions({ ticket, input, words, onPick, onClose }: Props & { words: string; onClose(): void }) {
  const t = useSuggestText()
  const listId = useId()
  const values = useValues(ticket)
  const { list, found, isWaiting } = useSuggestions(words)
  const scroller = useLoadOn<HTMLDivElement>(list)
  const [marked, setMarked] = useState({ words, at: 0 })
  const at = marked.words === words ? Math.min(marked.at, Math.max(0, found.length - 1)) : 0
  const optionId = (which: number) => `${listId}-${which}`
  const pick = (one: QuickAnswer | undefined) => one && onPick(filled(one.message, values))
  useListKeys(input, {
    isOpen: found.length > 0 || isWaiting,
    listId,
    optionId: found.length > 0 ? optionId(at) : undefined,
    onMove: by => setMarked({ words, at: (at + by + found.length) % Math.max(1, found.length) }),
    onPick: () => pick(found[at]),
    onClose,
  })
  const chosen = found[at]
  if (!chosen) return null
  return (
    <div className={classes.suggestions}>
      <div
        {...scroller}
        id={listId}
        role="listbox"
        tabIndex={0}
        aria-label={t('quickAnswers')}
        className={classes.list}
      >
        {found.map((one, which) => (
          <Option
            key={one.id}
            id={optionId(which)}
            quickAnswer={one}
            values={values}
            isMarked={which === at}
            onPick={() => pick(one)}
          />
        ))}
      </div>
      <Preview message={chosen.message} values={values} />
      <p className={classes.foot}>
        <span aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('choose')} <kbd>Enter</kbd> {t('insert')} <kbd>Esc</kbd> {t('close')}
        </span>
        <span role="status">{t(list.hasNextPage ? 'foundMore' : 'found', { count: found.length })}</span>
      </p>
    </div>
  )
}

interface OptionProps {
  id: string
  quickAnswer: QuickAnswer
  values: Placeholders
  isMarked: boolean
  onPick(): void
}

function Option({ id, quickAnswer: { shortcut, message }, values, isMarked, onPick }: OptionProps) {
  useEffect(() => {
    if (isMarked) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id, isMarked])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed where it is written
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays where it is written
    <div
      id={id}
      role="option"
      aria-selected={isMarked}
      className={classes.option}
      // the focus stays where it is written
      onMouseDown={event => event.preventDefault()}
      onClick={onPick}
    >
      <span className="mono one-line">/{shortcut}</span>
      <span className="one-line">{filled(message, values)}</span>
    </div>
  )
}

/** The whole text as the customer will read it; a placeholder that means nothing stands out. */
function Preview({ message, values }: { message: string; values: Placeholders }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
    <div className={classes.preview} tabIndex={0}>
      {partsOf(message, values).map(({ text, kind }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in their order
        <span key={at} data-kind={kind}>
          {text}
        </span>
      ))}
    </div>
  )
}

function useValues({ contact, protocol }: Ticket): Placeholders {
  const { name } = useViewer()
  return useMemo(
    () => ({
      cliente: contact.name,
      atendente: name,
      protocolo: protocol,
      data: clock().format('DD/MM/YYYY'),
      horas: clock().format('HH:mm'),
    }),
    [contact.name, name, protocol],
  )
}
