import type { Campaign, CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { Button, NativeSelect } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconDownload,
  IconExternalLink,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { useState } from 'react'
import { reasonText } from '../../platform/errors.text.ts'
import { phoneText } from '../../platform/phone.ts'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { saveMade } from '../contactSheets/contactSheets.api.ts'
import { campaignExport, dispatchList, type Narrowed, removeDispatch } from './campaigns.api.ts'
import classes from './campaigns.module.css'
import { useManagerText } from './campaigns.running.text.ts'
import { MendDialog } from './mend.dialog.tsx'

const choices = [
  ['', 'everybody'],
  ['pending', 'pending'],
  ['sending', 'sending'],
  ['sent', 'sent'],
  ['sentFail', 'failed'],
  ['answered', 'answered'],
  ['optedOut', 'optedOut'],
] as const

/** All recipients of a campaign with their states; pages are loaded on scroll. */
export function DispatchTable({ campaign }: { campaign: Campaign }) {
  const t = useManagerText()
  const [status, setStatus] = useState<Narrowed>('')
  const [removing, setRemoving] = useState<CampaignDispatch | null>(null)
  const [mending, setMending] = useState<CampaignDispatch | null>(null)
  const list = useList(dispatchList(campaign.id, status))
  const mayRemove = mayManageCampaign(useViewer(), campaign)
  return (
    <section aria-labelledby="campaign-dispatches">
      <h2 id="campaign-dispatches" className="sr-only">
        {t('dispatches')}
      </h2>
      <div className={classes.tools}>
        <SearchField label={t('search')} value={list.typed} onChange={list.type} />
        <NativeSelect
          aria-label={t('narrow')}
          value={status}
          onChange={event => setStatus(event.currentTarget.value as Narrowed)}
          data={choices.map(([value, label]) => ({ value, label: t(label) }))}
        />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => void saveMade(campaignExport(campaign.id), `campanha-${campaign.id}.xlsx`)}
        >
          {t('export')}
        </Button>
      </div>
      <div className={classes.people}>
        <Table
          label={t('dispatches')}
          columns={columnsOf(t, {
            mend: mayRemove && campaign.status !== 'finalized' ? setMending : null,
            remove: mayRemove ? setRemoving : null,
          })}
          rows={list.rows}
          keyOf={one => one.id}
          paging={list}
          mark={one => ({ 'data-dispatch': one.number })}
          empty={<Empty icon={<IconUsers size={26} />} title={t('noneFound')} />}
        />
      </div>
      {mending && <MendDialog dispatch={mending} onClose={() => setMending(null)} />}
      {removing && (
        <RemoveDialog
          title={t('removePerson', { name: nameOf(removing) })}
          remove={() => removeDispatch(campaign.id, removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removePersonHint')}
        </RemoveDialog>
      )}
    </section>
  )
}

const nameOf = ({ name, number }: CampaignDispatch) => name || phoneText(number)
const at = (moment: string | null) =>
  moment && <span className={classes.line}>{clock(moment).format('l LTS')}</span>

const columnsOf = (
  t: ReturnType<typeof useManagerText>,
  { mend, remove }: Record<'mend' | 'remove', ((dispatch: CampaignDispatch) => void) | null>,
): Column<CampaignDispatch>[] => [
  { key: 'name', head: t('name'), kind: 'name', cell: one => one.name },
  {
    key: 'number',
    head: t('number'),
    cell: one => <span className={classes.line}>{phoneText(one.number)}</span>,
  },
  { key: 'scheduled', head: t('scheduled'), cell: one => at(one.schedule) },
  { key: 'status', head: t('status'), cell: one => <State dispatch={one} /> },
  { key: 'greeting', head: t('greetingSent'), cell: one => at(one.greetingSendAt) },
  { key: 'message', head: t('messageSent'), kind: 'long', cell: one => one.messageSendAt && one.message },
  { key: 'time', head: t('time'), cell: one => at(one.messageSendAt) },
  {
    key: 'actions',
    head: t('ticket'),
    kind: 'actions',
    cell: one => (
      <>
        {one.ticketId && (
          <IconButton
            label={t('ticketOf', { name: nameOf(one) })}
            onClick={() => window.open(`/tickets/${one.ticketId}`, '_blank', 'noopener')}
          >
            <IconExternalLink size={18} stroke={1.75} />
          </IconButton>
        )}
        {mend && (one.status === 'pending' || one.status === 'sentFail') && (
          <IconButton label={t('mendOf', { name: nameOf(one) })} onClick={() => mend(one)}>
            <IconPencil size={18} stroke={1.75} />
          </IconButton>
        )}
        {remove && (
          <IconButton label={t('removeOf', { name: nameOf(one) })} onClick={() => remove(one)}>
            <IconTrash size={18} stroke={1.75} />
          </IconButton>
        )}
      </>
    ),
  },
]

/** As of messages (`ack`). */
const DELIVERED = 3
const READ = 4

function State({ dispatch }: { dispatch: CampaignDispatch }) {
  const { status, ack, answeredAt, answerButton, optedOut, reason } = dispatch
  const t = useManagerText()
  const hasFailed = status === 'sentFail'
  const more = [
    status === 'sent' && ack >= READ && t('hasRead'),
    status === 'sent' && ack === DELIVERED && t('hasGot'),
    answeredAt && (answerButton ? t('choseButton', { button: answerButton }) : t('hasAnswered')),
    optedOut && t('hasOptedOut'),
  ].filter(Boolean)
  const Icon = hasFailed ? IconAlertTriangle : status === 'sent' ? IconCheck : IconClock
  return (
    <>
      <Status
        tone={hasFailed ? 'error' : status === 'sent' ? 'success' : 'neutral'}
        icon={<Icon size={13} aria-hidden />}
      >
        {t(`is_${status}`)}
      </Status>
      {hasFailed && reason && (
        <span className={classes.note} data-failed>
          {reasonText(reason)}
        </span>
      )}
      {more.length > 0 && <span className={classes.note}>{more.join(', ')}</span>}
    </>
  )
}
