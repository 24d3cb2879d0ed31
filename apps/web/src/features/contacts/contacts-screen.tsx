import type { Contact } from '@balcao/contract/contacts.ts'
import { Button } from '@mantine/core'
import { IconAddressBook, IconArrowMerge, IconTags, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { useMay } from '../../platform/session.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { inAddress, useKeptInAddress } from '../../ui/list-screen/address.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { NoRows } from '../../ui/list-screen/list-states.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { soon } from '../../ui/soon.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { ContactDialog } from './contact.dialog.tsx'
import { ContactTable } from './contact-table.tsx'
import { contactList, removeContact } from './contacts.api.ts'
import { useContactMenuText } from './contacts.menu.text.ts'
import classes from './contacts.module.css'
import { useContactText } from './contacts.text.ts'
import { CustomerOf } from './customer-of.tsx'

const DoublesDialog = soon(() => import('../contactMerges/doubles.dialog.tsx'))
const MergeDialog = soon(() => import('../contactMerges/merge.dialog.tsx'))
const ImportDialog = soon(() => import('../contactSheets/import.dialog.tsx'))
const NewTicketDialog = soon(() => import('./new-ticket.dialog.tsx'))

const PATH = '/contacts'
const NEW = 'new'
const SEARCH_MIN = 3

/** `/contacts/ana` and `/contacts?search=ana` both look for ana (OP-84); `/contacts/new` and `?edit=17` open the dialog. */
export default function ContactsScreen() {
  const { p } = useParams()
  const [query] = useSearchParams()
  const asked = query.get('search') ?? (p === NEW ? '' : (p ?? ''))
  const edited = Number(query.get('edit'))
  return <Contacts key={asked} asked={asked} open={p === NEW ? NEW : edited > 0 ? edited : null} />
}

function Contacts({ asked, open }: { asked: string; open: number | typeof NEW | null }) {
  const t = useContactText()
  const title = useContactMenuText()('contacts')
  const goTo = useGoTo()
  const [chosen, setChosen] = useState(() => inAddress('categories').split(',').map(Number).filter(Boolean))
  useKeptInAddress('categories', chosen.join())
  const [starting, setStarting] = useState<Contact | null>(null)
  const [merging, setMerging] = useState<Contact | null>(null)
  const [removing, setRemoving] = useState<Contact | null>(null)
  const [owner, setOwner] = useState<number | null>(() => {
    const kept = inAddress('owner')
    return /^\d+$/.test(kept) ? Number(kept) : null
  })
  useKeptInAddress('owner', owner === null ? '' : String(owner))
  const narrowed =
    chosen.length > 0 || owner !== null
      ? {
          ...(chosen.length > 0 && { selectedContactCategories: chosen }),
          ...(owner !== null && { ownerId: owner }),
        }
      : undefined
  const list = useList(words => contactList(words, narrowed), { minimum: SEARCH_MIN, begun: asked })
  const here = asked ? `${PATH}?search=${encodeURIComponent(asked)}` : PATH
  const close = () => goTo(here, { replace: true })
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      searchFor={t('searchFor')}
      add={t('add')}
      folds
      actions={<Actions chosen={chosen} onChoose={setChosen} owner={owner} onOwner={setOwner} />}
    >
      <ContactTable
        list={list}
        empty={
          narrowed ? (
            <Empty icon={<IconAddressBook size={26} />} title={t('noneFound')} />
          ) : (
            <NoRows list={list} icon={<IconAddressBook size={26} />} title={t('none')} hint={t('noneHint')} />
          )
        }
        pathOf={({ id }) => `${here}${asked ? '&' : '?'}edit=${id}`}
        onStart={setStarting}
        onMerge={setMerging}
        onRemove={setRemoving}
      />
      {open !== null && <ContactDialog key={open} id={open === NEW ? null : open} onClose={close} />}
      {starting && <NewTicketDialog with={starting} onClose={() => setStarting(null)} />}
      {merging && <MergeDialog contact={merging} onClose={() => setMerging(null)} />}
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removeContact(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {removing.ticketsCount === 0 ? t('removeNone') : t('removeHint', { count: removing.ticketsCount })}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

interface Narrowing {
  chosen: number[]
  onChoose(categoryIds: number[]): void
  owner: number | null
  onOwner(ownerId: number | null): void
}

function Actions({ chosen, onChoose, owner, onOwner }: Narrowing) {
  const t = useContactText()
  const [importing, setImporting] = useState(false)
  const [isSorting, setSorting] = useState(false)
  const goTo = useGoTo()
  const mayCreate = useMay('contacts:createCategories')
  const mayMerge = useMay('contacts-page:deleteContact')
  const seesAll = useMay('contacts:all')
  return (
    <>
      {seesAll && (
        <CustomerOf
          aria-label={t('owner')}
          value={owner}
          none={t('anyOwner')}
          withUnowned
          onChange={onOwner}
        />
      )}
      <CategoryPicker
        className={classes.filter!}
        aria-label={t('filter')}
        placeholder={t('filter')}
        value={chosen}
        onChange={onChoose}
      />
      <Button
        variant="default"
        leftSection={<IconTags size={16} />}
        disabled={!mayCreate}
        onClick={() => goTo('/CategoryContact')}
      >
        {t('categories')}
      </Button>
      {mayMerge && (
        <Button variant="default" leftSection={<IconArrowMerge size={16} />} onClick={() => setSorting(true)}>
          {t('doubles')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => setImporting(true)}>
        {t('import')}
      </Button>
      {isSorting && <DoublesDialog onClose={() => setSorting(false)} />}
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
}
