import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { means } from '../platform/shortcuts.ts'
import { texts } from '../platform/text.ts'
import { typedAhead } from '../platform/typed-ahead.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type Command, useCommands } from './commands.list.tsx'
import classes from './commands.module.css'
import keyClasses from './shortcuts.module.css'

const useText = texts({
  title: ['Ir para', 'Go to', 'Ir a'],
  field: [
    'Conversa, contato, tela ou ação',
    'Conversation, contact, screen or action',
    'Conversación, contacto, pantalla o acción',
  ],
  actions: ['Ações', 'Actions', 'Acciones'],
  screens: ['Telas', 'Screens', 'Pantallas'],
  conversations: ['Atendimentos', 'Tickets', 'Atenciones'],
  contacts: ['Contatos', 'Contacts', 'Contactos'],
  searching: ['Buscando…', 'Searching…', 'Buscando…'],
  none: ['Nada foi encontrado', 'Nothing was found', 'No se encontró nada'],
  failed: [
    'Não foi possível buscar conversas e contatos',
    'Conversations and contacts could not be searched',
    'No fue posible buscar conversaciones y contactos',
  ],
  offline: [
    'Sem conexão: conversas e contatos não podem ser buscados agora',
    'No connection: conversations and contacts cannot be searched now',
    'Sin conexión: ahora no se pueden buscar conversaciones y contactos',
  ],
  count: ['{count} opções', '{count} options', '{count} opciones'],
  count_one: ['{count} opção', '{count} option', '{count} opción'],
})

/** Leads to a conversation, a contact or a screen, or acts, by what is typed. */
export default function CommandsDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  return (
    <Dialog title={t('title')} onClose={onClose} size={620}>
      <CommandBox onClose={onClose} />
    </Dialog>
  )
}

function CommandBox({ onClose }: { onClose(): void }) {
  const t = useText()
  const listId = useId()
  const [typed, setTyped] = useState('')
  /** The key of a row that was marked by an arrow: rows that come above it do not move the mark. */
  const [mark, setMark] = useState('')
  const [isAsked, setAsked] = useState(false)
  const { commands, first, ...state } = useCommands(typed)
  const { isAnswered, isOffline } = state
  const able = commands.filter(({ isOld }) => !isOld)
  const chosen = able.find(({ key }) => key === mark) ?? first
  const marked = chosen ? commands.indexOf(chosen) : -1
  const optionId = (which: number) => `${listId}-${which}`

  function run(command: Command) {
    // the focus is back where it was before the action moves it
    flushSync(onClose)
    command.run()
  }
  // Enter before the answer opens its first row
  useEffect(() => {
    if (!isAsked || !(first || isAnswered || isOffline)) return
    setAsked(false)
    // flushed only after the effects
    if (first) queueMicrotask(() => run(first))
  })
  useEffect(() => {
    document.getElementById(`${listId}-${marked}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, marked])
  function onKey(event: KeyboardEvent) {
    const { nativeEvent, key } = event
    if (nativeEvent.isComposing) return
    if (means(nativeEvent, 'ctrl+k')) {
      event.preventDefault()
      return event.repeat || onClose()
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (key === 'Enter') chosen ? run(chosen) : setAsked(!isAnswered)
    else if (by) step(by)
    else return
    event.preventDefault()
  }
  function step(by: number) {
    const at = chosen ? able.indexOf(chosen) : -1
    const next = able.at(at < 0 && by < 0 ? -1 : (at + by) % able.length)
    setAsked(false)
    setMark(next?.key ?? '')
  }
  return (
    <>
      <TextInput
        aria-label={t('field')}
        placeholder={t('field')}
        data-autofocus
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-activedescendant={chosen && optionId(marked)}
        value={typed}
        onFocus={() => {
          const ahead = typedAhead.take()
          setTyped(typed + ahead.struck)
          if (ahead.isEntered) setAsked(true)
        }}
        onKeyDown={onKey}
        onChange={event => {
          setAsked(false)
          setMark('')
          setTyped(event.currentTarget.value)
        }}
      />
      <div id={listId} role="listbox" aria-label={t('title')} className={classes.list}>
        {inGroups(commands).map(({ group, from, rows }) => (
          // biome-ignore lint/a11y/useSemanticElements: options are grouped inside of their list
          <div key={group} role="group" aria-labelledby={`${listId}-${group}`}>
            <div id={`${listId}-${group}`} role="presentation" className={classes.group}>
              {t(group)}
            </div>
            {rows.map((command, which) => (
              <Option
                key={command.key}
                id={optionId(from + which)}
                command={command}
                isMarked={from + which === marked}
                onPick={() => command.isOld || run(command)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={classes.state} role="status">
        {t(stateOf(state, commands.length), { count: commands.length })}
      </p>
    </>
  )
}

function stateOf(
  { isAnswered, isOffline, failed }: Omit<ReturnType<typeof useCommands>, 'commands' | 'first'>,
  count: number,
) {
  if (isOffline) return 'offline'
  if (!isAnswered) return 'searching'
  if (failed) return 'failed'
  return count > 0 ? 'count' : 'none'
}

/** Consecutive commands of one group, and the place of the first among all. */
const inGroups = (commands: Command[]) =>
  [...new Set(commands.map(({ group }) => group))].map(group => ({
    group,
    from: commands.findIndex(one => one.group === group),
    rows: commands.filter(one => one.group === group),
  }))

interface OptionProps {
  id: string
  command: Command
  isMarked: boolean
  onPick(): void
}

const Option = ({ id, command: { icon, name, aside, keys, isOld }, isMarked, onPick }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys choose
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isMarked}
    aria-disabled={isOld}
    className={classes.option}
    // the focus stays where it is written
    onMouseDown={event => event.preventDefault()}
    onClick={onPick}
  >
    {icon}
    <span className={classes.name}>{name}</span>
    {aside && <span className={classes.aside}>{aside}</span>}
    {keys && (
      <span className={classes.keys}>
        {keys.map(key => (
          <kbd key={key} className={keyClasses.key}>
            {key}
          </kbd>
        ))}
      </span>
    )}
  </div>
)
