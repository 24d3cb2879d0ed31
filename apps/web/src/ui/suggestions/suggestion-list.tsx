import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { texts } from '../../platform/text.ts'
import { type Paging, useLoadOn } from '../list-screen/load-on.ts'
import { useListKeys } from './list-keys.ts'
import classes from './suggestions.module.css'

const useText = texts({
  choose: ['escolher', 'choose', 'elegir'],
  close: ['fechar', 'close', 'cerrar'],
})

interface Props<Row> {
  /** Where it is written; its keys are the list's while the list is open. */
  input: RefObject<HTMLTextAreaElement | null>
  label: string
  /** The search text: another one restarts at the first row. */
  words: string
  rows: Row[]
  /** The server has not answered yet. */
  isWaiting: boolean
  paging: Paging
  keyOf(row: Row): number
  /** Two cells: name and content. */
  option(row: Row): ReactNode
  preview(row: Row): ReactNode
  /** What Enter does, and how many there are. */
  pickLabel: string
  count: string
  onPick(row: Row): void
  onClose(): void
}

/** Suggestions that a text requests by its first letter, above the field. */
export function SuggestionList<Row>(props: Props<Row>) {
  const { input, label, words, rows, isWaiting, paging, keyOf, pickLabel, count, onPick, onClose } = props
  const t = useText()
  const listId = useId()
  const scroller = useLoadOn<HTMLDivElement>(paging)
  const [marked, setMarked] = useState({ words, at: 0 })
  const at = marked.words === words ? Math.min(marked.at, Math.max(0, rows.length - 1)) : 0
  const optionId = (which: number) => `${listId}-${which}`
  const chosen = rows[at]
  useListKeys(input, {
    isOpen: rows.length > 0 || isWaiting,
    listId,
    optionId: rows.length > 0 ? optionId(at) : undefined,
    onMove: by => setMarked({ words, at: (at + by + rows.length) % Math.max(1, rows.length) }),
    onPick: () => chosen && onPick(chosen),
    onClose,
  })
  if (!chosen) return null
  return (
    <div className={classes.suggestions}>
      <div {...scroller} id={listId} role="listbox" tabIndex={0} aria-label={label} className={classes.list}>
        {rows.map((row, which) => (
          <Option key={keyOf(row)} id={optionId(which)} isMarked={which === at} onPick={() => onPick(row)}>
            {props.option(row)}
          </Option>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard */}
      <div className={classes.preview} tabIndex={0}>
        {props.preview(chosen)}
      </div>
      <p className={classes.foot}>
        <span aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('choose')} <kbd>Enter</kbd> {pickLabel} <kbd>Esc</kbd> {t('close')}
        </span>
        <span role="status">{count}</span>
      </p>
    </div>
  )
}

interface OptionProps {
  id: string
  isMarked: boolean
  onPick(): void
  children: ReactNode
}

function Option({ id, isMarked, onPick, children }: OptionProps) {
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
      {children}
    </div>
  )
}
