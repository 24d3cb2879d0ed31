import { TagInput } from '@balcao/contract/tags.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { FocusTrap, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { inWords } from '../../platform/forms.text.ts'
import { notify } from '../../platform/notify.tsx'
import { Pill } from '../../ui/chip.tsx'
import { useChosenTags } from './chosen-tags.ts'
import classes from './tag-editor.module.css'
import { createTag, tagChoices } from './tags.api.ts'
import { useTagEditorText } from './tags.editor.text.ts'

const NONE = -1

/**
 * The tags of a ticket among all tags; a typed name finds one, or creates one. Every choice is saved at once.
 */
export default function TagsOfTicket({ ticket }: { ticket: Ticket }) {
  const t = useTagEditorText()
  const listId = useId()
  const { data: all = [], isSuccess, isError } = useQuery(tagChoices)
  const { chosen, toggle } = useChosenTags(ticket)
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(NONE)
  const [error, setError] = useState<string | null>(null)
  const words = typed.trim()
  const found = all.filter(tag => folded(tag.name).includes(folded(words)))
  // names are unique without regard to case, and accents make another name
  const isNew =
    isSuccess && words !== '' && found.every(tag => tag.name.toLowerCase() !== words.toLowerCase())
  const options = found.length + Number(isNew)
  const at = Math.min(marked, options - 1)
  const optionId = (which: number) => `${listId}-${which}`

  const create = async () => {
    const { success, error: wrong } = TagInput.safeParse({ name: typed })
    if (!success) return setError(inWords(wrong.issues[0]!.message))
    try {
      toggle(await createTag(typed.trim(), all))
      setTyped('')
    } catch (error) {
      if (error instanceof ApiError && error.field === 'name') setError(errorText(error))
      else notify.failed(error)
    }
  }
  const choose = (which: number) => {
    const tag = found[which]
    if (tag) toggle(tag.id)
    else void create()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(at)
    else if (by && options > 0) setMarked(at === NONE && by < 0 ? options - 1 : (at + by + options) % options)
    else return
    event.preventDefault()
  }
  return (
    <FocusTrap>
      <div className={classes.choice}>
        <TextInput
          data-autofocus
          // Escape closes this, and not the drawer that may contain it
          data-mantine-stop-propagation="true"
          aria-label={t('write')}
          placeholder={t('write')}
          role="combobox"
          aria-expanded={options > 0}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={at === NONE ? undefined : optionId(at)}
          maxLength={50}
          value={typed}
          error={error}
          onKeyDown={onKey}
          onChange={event => {
            setTyped(event.currentTarget.value)
            // a typed name is searched for: the first result is the likely one
            setMarked(event.currentTarget.value.trim() ? 0 : NONE)
            setError(null)
          }}
        />
        <div
          id={listId}
          role="listbox"
          aria-multiselectable
          aria-label={t('tagsOf')}
          className={classes.list}
          hidden={options === 0}
        >
          {found.map((tag, which) => (
            <Option
              key={tag.id}
              id={optionId(which)}
              isMarked={which === at}
              isChosen={chosen.includes(tag.id)}
              onPick={() => choose(which)}
              onPoint={() => setMarked(which)}
            >
              <Pill label={tag.name} color={tag.color} on={which === at ? 'bg-selected' : 'bg-raised'} />
            </Option>
          ))}
          {isNew && (
            <Option
              id={optionId(found.length)}
              isMarked={found.length === at}
              isChosen={false}
              onPick={() => void create()}
              onPoint={() => setMarked(found.length)}
            >
              {t('create', { name: typed.trim() })}
            </Option>
          )}
        </div>
        {isSuccess && options === 0 && <p className={classes.note}>{t('none')}</p>}
        {isError && (
          <p className={classes.note} role="alert">
            {t('failed')}
          </p>
        )}
      </div>
    </FocusTrap>
  )
}

interface OptionProps {
  id: string
  isMarked: boolean
  isChosen: boolean
  onPick(): void
  onPoint(): void
  children: ReactNode
}

function Option({ id, isMarked, isChosen, onPick, onPoint, children }: OptionProps) {
  useEffect(() => {
    if (isMarked) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id, isMarked])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed where it is written
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays where it is written
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      data-marked={isMarked || undefined}
      className={classes.option}
      onMouseMove={onPoint}
      onMouseDown={event => event.preventDefault()}
      onClick={onPick}
    >
      {children}
      {isChosen && <IconCheck size={16} stroke={2} aria-hidden />}
    </div>
  )
}
