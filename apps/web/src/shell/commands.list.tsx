import { bareWords } from '@balcao/contract/words.rules.ts'
import { IconBolt, IconBookmark, IconMessage } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { usePlace } from '../features/tickets/place.ts'
import { listOfView, useViews } from '../features/tickets/tickets.views.api.ts'
import { phoneText } from '../platform/phone.ts'
import { useUser } from '../platform/session.tsx'
import { actOn, actsNow, keysShown } from '../platform/shortcuts.ts'
import { texts } from '../platform/text.ts'
import { clock } from '../platform/time.ts'
import { Avatar } from '../ui/avatar.tsx'
import { useGoTo } from '../ui/go-to.ts'
import { useFound } from './commands.found.ts'
import { decided } from './decided.ts'
import { useMenuEntries } from './menu-entries.ts'
import { type ShortcutName, shortcutGroups, useShortcutText } from './shortcuts.text.ts'

const useText = texts({
  open: ['Atendendo', 'Attending', 'Atendiendo'],
  pending: ['Aguardando', 'Waiting', 'Esperando'],
  closed: ['Resolvido', 'Resolved', 'Resuelto'],
  inNote: ['em nota interna', 'in an internal note', 'en nota interna'],
})

export type CommandGroup = 'actions' | 'screens' | 'conversations' | 'contacts'

export interface Command {
  key: string
  group: CommandGroup
  name: string
  icon: ReactNode
  /** At the end of its line. */
  aside?: string | undefined
  /** The keys that do the same. */
  keys?: string[]
  /** It changes the open ticket at once. */
  isVerb?: boolean
  /** A row of a text before, which cannot be chosen. */
  isOld?: boolean
  run(): void
}

/** What can be done and opened by a typed text; without one, every action and screen. */
export function useCommands(typed: string) {
  const own = [...useActions(), ...useViewCommands(), ...useScreens()].filter(({ name }) =>
    begins(name, typed),
  )
  const { rows, ...state } = useRows(typed)
  const commands = [...own, ...rows]
  const text = bareWords(typed.trim())
  /** What Enter does without an arrow key: nothing for an empty field, and a ticket changes by a whole word only. */
  const first = commands.find(({ name, group, isVerb }) => {
    if (isVerb || text === '') return text !== '' && bareWords(name) === text
    return state.isAnswered || group === 'actions' || group === 'screens'
  })
  return { ...state, commands, first }
}

/** A word of the name begins with the text, whatever its case and accents. */
const begins = (name: string, text: string) => ` ${bareWords(name)}`.includes(` ${bareWords(text)}`)

const [ofLists, ofTicket, everywhere] = shortcutGroups

const VERBS: readonly string[] = ['accept', 'resolve', 'giveBack', 'reopen'] satisfies ShortcutName[]

/** The actions of the shortcuts, where they do something at present: first those of the open ticket. */
function useActions(): Command[] {
  const t = useShortcutText()
  const isInTicket = /^\/tickets\/\d+/i.test(useLocation().pathname)
  const [inUse, setInUse] = useState<string[]>([])
  useEffect(() => setInUse(actsNow().flatMap(([keys]) => (keys === 'ctrl+k' ? [] : [keys]))), [])
  // the one key of two actions: which of them depends on what is open
  const isOther = (keys: string, group: string) =>
    group === 'ticket' ? keys === '/' || (keys === 'alt+n' && !isInTicket) : keys === 'alt+n' && isInTicket
  return [ofTicket, ofLists, everywhere].flatMap(([group, shortcuts]) =>
    shortcuts
      .filter(([keys]) => inUse.includes(keys) && !isOther(keys, group))
      .map(([keys, name]) => ({
        key: keys,
        group: 'actions',
        name: t(name === 'sheet' ? 'title' : name),
        icon: <IconBolt size={16} aria-hidden />,
        keys: keysShown(keys),
        isVerb: VERBS.includes(name),
        run: () => void actOn(shortcut => shortcut === keys),
      })),
  )
}

/** The views of the viewer's tickets. */
function useViewCommands(): Command[] {
  const goTo = useGoTo()
  const [place] = usePlace()
  return useViews(false).map(view => ({
    key: `view ${view.id}`,
    group: 'screens',
    name: view.name,
    icon: <IconBookmark size={16} aria-hidden />,
    run: () => {
      const { id, name } = view
      goTo('/tickets', {
        state: { place: { ...place, tab: 'open', view: { id, name, list: listOfView(view) } } },
      })
    },
  }))
}

/** The screens that the viewer may open. */
function useScreens(): Command[] {
  const goTo = useGoTo()
  const user = useUser()
  return useMenuEntries()
    .filter(({ enabled }) => decided(enabled, user))
    .map(({ path, label, icon: Icon }) => ({
      key: path,
      group: 'screens',
      name: label(),
      icon: <Icon size={16} aria-hidden />,
      run: () => goTo(path),
    }))
}

/** Conversations and contacts that the server finds. */
function useRows(typed: string) {
  const t = useText()
  const goTo = useGoTo()
  const { conversations, contacts, hits, isOld, ...state } = useFound(typed)
  const talks = conversations.map(({ id, contact, status, queue, updatedAt }): Command => {
    const hit = hits.find(({ ticketId }) => ticketId === id)
    return {
      key: `ticket ${id}`,
      group: 'conversations',
      name: phoneText(contact.name),
      icon: <IconMessage size={16} aria-hidden />,
      // several of one person differ by their day
      aside: [hit?.isNote && t('inNote'), t(status), queue?.name, clock(updatedAt).format('L')]
        .filter(Boolean)
        .join(' · '),
      isOld: isOld.conversations,
      run: () => goTo(`/tickets/${id}`, { state: { found: hit?.messageId } }),
    }
  })
  const people = contacts.map(
    ({ id, name, number, isGroup }): Command => ({
      key: `contact ${id}`,
      group: 'contacts',
      name: phoneText(name),
      icon: <Avatar name={name} isGroup={isGroup} size={24} />,
      aside: phoneText(number),
      isOld: isOld.contacts,
      run: () => goTo(`/contacts?edit=${id}`),
    }),
  )
  return { ...state, rows: [...talks, ...people] }
}
