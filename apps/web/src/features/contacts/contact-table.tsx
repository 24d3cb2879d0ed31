import type { CategoryLabel } from '@balcao/contract/categories.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { IconArrowMerge, IconDownload, IconMessagePlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { whole } from '../../platform/numbers.ts'
import { phoneText } from '../../platform/phone.ts'
import { useMay } from '../../platform/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Pill } from '../../ui/chip.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import type { List } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { saveMade } from '../contactSheets/contactSheets.api.ts'
import { personOf } from './contacts.api.ts'
import { useContactMenuText } from './contacts.menu.text.ts'
import classes from './contacts.module.css'
import { useContactText } from './contacts.text.ts'

interface Props {
  list: List<Contact>
  empty: ReactNode
  /** Where the dialog of a contact opens. */
  pathOf(contact: Contact): string
  onStart(contact: Contact): void
  onMerge(contact: Contact): void
  onRemove(contact: Contact): void
}

export function ContactTable({ list, empty, pathOf, onStart, onMerge, onRemove }: Props) {
  const t = useContactText()
  const title = useContactMenuText()('contacts')
  const mayRemove = useMay('contacts-page:deleteContact')
  const isAdmin = useMay('admin')
  const columns: Column<Contact>[] = [
    { key: 'name', head: t('name'), cell: one => <Person contact={one} /> },
    { key: 'number', head: t('number'), cell: one => <Phone contact={one} /> },
    {
      key: 'lid',
      head: t('lid'),
      cell: one => one.lid && <span className="mono">{one.lid}</span>,
    },
    {
      key: 'labels',
      head: t('labels'),
      cell: one => one.categoryContacts.length > 0 && <Labels labels={one.categoryContacts} />,
    },
    {
      key: 'email',
      head: t('email'),
      cell: one =>
        one.email && (
          <span className={classes.email} title={one.email}>
            {one.email}
          </span>
        ),
    },
    { key: 'tickets', head: t('tickets'), kind: 'number', cell: one => whole(one.ticketsCount) },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <>
          <IconButton label={t('start', { name: one.name })} onClick={() => onStart(one)}>
            <IconMessagePlus size={18} stroke={1.75} />
          </IconButton>
          {mayRemove && !one.isGroup && (
            <IconButton label={t('merge', { name: one.name })} onClick={() => onMerge(one)}>
              <IconArrowMerge size={18} stroke={1.75} />
            </IconButton>
          )}
          {isAdmin && !one.isGroup && (
            <IconButton
              label={t('exportData', { name: one.name })}
              onClick={() => void saveMade(() => personOf(one.id), `contato-${one.id}.zip`)}
            >
              <IconDownload size={18} stroke={1.75} />
            </IconButton>
          )}
          <RowActions
            name={one.name}
            edit={pathOf(one)}
            onRemove={mayRemove ? () => onRemove(one) : undefined}
          />
        </>
      ),
    },
  ]
  return (
    <Table
      label={title}
      columns={columns}
      rows={list.rows}
      keyOf={one => one.id}
      paging={list}
      empty={empty}
    />
  )
}

const Person = ({ contact: { name, isGroup } }: { contact: Contact }) => (
  <span className={classes.person}>
    <Avatar name={name} isGroup={isGroup} size={30} />
    {name}
  </span>
)

function Phone({ contact: { number, username, isGroup } }: { contact: Contact }) {
  const t = useContactText()
  if (isGroup) return t('group')
  if (!number) return <span className={classes.hidden}>{username ? `@${username}` : t('hidden')}</span>
  return <span className={classes.number}>{phoneText(number)}</span>
}

const SHOWN = 2

function Labels({ labels }: { labels: CategoryLabel[] }) {
  const t = useContactText()
  const rest = labels.slice(SHOWN)
  const more = t('more', { count: rest.length, names: rest.map(({ name }) => name).join(', ') })
  return (
    <span className={classes.labels}>
      {labels.slice(0, SHOWN).map(({ id, name, color }) => (
        <Pill key={id} label={name} color={color} on="bg-hover" />
      ))}
      {rest.length > 0 && (
        <span title={more}>
          <span aria-hidden>+{rest.length}</span>
          <span className="sr-only">{more}</span>
        </span>
      )}
    </span>
  )
}
