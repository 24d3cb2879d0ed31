import type { ClientCompany } from '@balcao/contract/clients.ts'
import { Button, Checkbox } from '@mantine/core'
import { IconBuildings, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useUser } from '../../platform/session.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { clientsBy } from '../companies/companies.api.ts'
import { useClientMenuText } from './clients.menu.text.ts'
import { useClientText } from './clients.text.ts'
import { RemoveClientDialog } from './remove-client.dialog.tsx'
import { usedSends } from './use-section.tsx'

/** All companies of the platform, and how much of their limits they use. */
export default function ClientsScreen() {
  const t = useClientText()
  const title = useClientMenuText()('companies')
  const { companyId } = useUser()
  const [limits, setLimits] = useState<'exceeded' | null>(null)
  const list = useList(clientsBy(limits))
  const [removing, setRemoving] = useState<ClientCompany | null>(null)
  const used = (count: number, limit: number) => t('used', { used: count, limit })
  const columns: Column<ClientCompany>[] = [
    { key: 'id', head: t('id'), kind: 'number', cell: one => one.id },
    { key: 'name', head: t('name'), cell: one => <Named client={one} /> },
    { key: 'email', head: t('email'), cell: one => one.email },
    { key: 'attendants', head: t('attendants'), cell: one => used(one.usedAttendants, one.numberAttendants) },
    {
      key: 'connections',
      head: t('connections'),
      cell: one => used(one.usedConnections, one.numberConections),
    },
    {
      key: 'sends',
      head: t('sends'),
      cell: one => usedSends(one, t),
    },
    { key: 'plan', head: t('plan'), cell: one => <PlanWords client={one} /> },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions
          name={one.name}
          edit={`/companiesManager/${one.id}`}
          onRemove={one.id === companyId ? undefined : () => setRemoving(one)}
        />
      ),
    },
  ]
  return (
    <ListScreen path="/companies" title={title} list={list} actions={<Add />}>
      <Checkbox
        mb={12}
        label={t('onlyOverLimits')}
        checked={limits !== null}
        onChange={event => setLimits(event.currentTarget.checked ? 'exceeded' : null)}
      />
      <ListTable label={title} columns={columns} list={list} icon={IconBuildings} none={t('none')} />
      {removing && <RemoveClientDialog client={removing} onClose={() => setRemoving(null)} />}
    </ListScreen>
  )
}

function Add() {
  const t = useClientText()
  return (
    <Button component={Link} to="/CreateNewCompany" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('add')}
    </Button>
  )
}

function Named({ client }: { client: ClientCompany }) {
  const t = useClientText()
  const state =
    client.status === 0
      ? t('inactive')
      : client.suspendedAt
        ? t('suspended')
        : (client.limitsBy || client.resting > 0) && t('overLimits')
  return (
    <>
      {client.name} {state && <small>({state})</small>}
    </>
  )
}

function PlanWords({ client: { plan } }: { client: ClientCompany }) {
  const t = useClientText()
  const own = plan[0]
  return own ? `${own.name} · ${own.value1MonthBrl}` : t('noPlan')
}
