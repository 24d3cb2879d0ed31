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
import { useIsPhone } from '../../ui/phone-width.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { saveMade } from '../contactSheets/contactSheets.api.ts'
import { personOf } from './contacts.api.ts'
import { useContactMenuText } from './contacts.menu.text.ts'
import classes from './contacts.module.css'
import { useContactText } from './contacts.text.ts'
import { RowMenu } from './row-menu.tsx'

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
  const isPhone = useIsPhone()
  const exportData = (one: Contact) => void saveMade(() => personOf(one.id), `contato-${one.id}.zip`)
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
            <IconButton label={t('exportData', { name: one.name })} onClick={() => exportData(one)}>
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
  /** Two lines, and what is done most beside a menu of the rest. */
  const onPhone: Column<Contact>[] = [
    { key: 'name', head: t('name'), cell: one => <PersonOnPhone contact={one} /> },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <>
          <IconButton label={t('start', { name: one.name })} onClick={() => onStart(one)}>
            <IconMessagePlus size={18} stroke={1.75} />
          </IconButton>
          <RowMenu
            name={one.name}
            edit={pathOf(one)}
            onMerge={mayRemove && !one.isGroup ? () => onMerge(one) : undefined}
            onExport={isAdmin && !one.isGroup ? () => exportData(one) : undefined}
            onRemove={mayRemove ? () => onRemove(one) : undefined}
          />
        </>
      ),
    },
  ]
  return (
    <Table
      label={title}
      columns={isPhone ? onPhone : columns}
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
    {phoneText(name)}
  </span>
)

function PersonOnPhone({ contact }: { contact: Contact }) {
  const { name, isGroup, categoryContacts: labels } = contact
  return (
    <span className={classes.person}>
      <Avatar name={name} isGroup={isGroup} size={30} />
      <span className={classes.twoLines}>
        <span className="one-line">{phoneText(name)}</span>
        <span className={classes.second}>
          <Phone contact={contact} />
          {labels.length > 0 && <Labels labels={labels} most={1} />}
        </span>
      </span>
    </span>
  )
}

function Phone({ contact: { number, username, isGroup } }: { contact: Contact }) {
  const t = useContactText()
  if (isGroup) return t('group')
  if (!number) return <span className={classes.hidden}>{username ? `@${username}` : t('hidden')}</span>
  return <span className={classes.number}>{phoneText(number)}</span>
}

function Labels({ labels, most = 2 }: { labels: CategoryLabel[]; most?: number }) {
  const t = useContactText()
  const rest = labels.slice(most)
  const more = t('more', { count: rest.length, names: rest.map(({ name }) => name).join(', ') })
  return (
    <span className={classes.labels}>
      {labels.slice(0, most).map(({ id, name, color }) => (
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
