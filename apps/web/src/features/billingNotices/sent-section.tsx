import { NOTICE_REASONS } from '@balcao/contract/billingNotices.rules.ts'
import type { BillingNotice } from '@balcao/contract/billingNotices.ts'
import { IconAlertTriangle, IconBell, IconCheck, IconClock } from '@tabler/icons-react'
import { reasonText } from '../../platform/errors.text.ts'
import { clock } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { sentList } from './billingNotices.api.ts'
import { useNoticeText } from './billingNotices.text.ts'

/** Billing notices sent to a company: recipient and delivery state. */
export function SentSection({ companyId }: { companyId: number }) {
  const t = useNoticeText()
  const list = useList(sentList(companyId))
  const columns: Column<BillingNotice>[] = [
    { key: 'when', head: t('when'), cell: one => clock(one.sentAt ?? one.dueAt).format('L LT') },
    { key: 'what', head: t('what'), cell: one => t(one.kind) },
    { key: 'invoice', head: t('invoice'), kind: 'number', cell: one => one.invoiceId ?? t('ofTrial') },
    { key: 'contact', head: t('contact'), cell: one => one.contactName },
    { key: 'way', head: t('way'), cell: one => t(one.platform) },
    { key: 'state', head: t('state'), cell: one => <State notice={one} /> },
  ]
  return (
    <FieldSection legend={t('sent')}>
      <Table
        label={t('sent')}
        columns={columns}
        rows={list.rows}
        keyOf={one => one.id}
        paging={list}
        empty={<Empty icon={<IconBell size={26} />} title={t('noneSent')} />}
      />
    </FieldSection>
  )
}

const looks = {
  waiting: ['info', IconClock],
  held: ['warning', IconAlertTriangle],
  leaving: ['info', IconClock],
  sent: ['success', IconCheck],
  failed: ['error', IconAlertTriangle],
  dropped: ['neutral', IconAlertTriangle],
} as const satisfies Record<BillingNotice['state'], [Tone, typeof IconClock]>

function State({ notice: { state, reason } }: { notice: BillingNotice }) {
  const t = useNoticeText()
  const [tone, Icon] = looks[state]
  const known = NOTICE_REASONS.find(one => one === reason)
  const why = known
    ? t(known)
    : reason === 'ERR_NO_DEF_WAPP_FOUND'
      ? t('noCentre')
      : reason && reasonText(reason)
  return (
    <>
      <Status tone={tone} icon={<Icon size={13} aria-hidden />}>
        {t(state === 'sent' ? 'sentState' : state)}
      </Status>
      {why && <small> {why}</small>}
    </>
  )
}
