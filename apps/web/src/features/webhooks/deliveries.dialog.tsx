import type { DeliveryState } from '@balcao/contract/deliveries.ts'
import type { Webhook, WebhookDelivery } from '@balcao/contract/webhooks.ts'
import { Button } from '@mantine/core'
import { IconRefresh, IconSend, IconWebhook } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { deliveredAt, Outcome, Sent, ShownSecret, useDeliveredText } from '../../ui/delivered.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { renewSecret, sendAgain, signingSecret, testWebhook, webhookDeliveries } from './webhooks.api.ts'
import classes from './webhooks.module.css'
import { useWebhookText } from './webhooks.text.ts'

const STATES = ['', 'waiting', 'done', 'failed'] as const

/** Deliveries of a webhook with their results, its secret, and a test. */
export function DeliveriesDialog({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useWebhookText()
  const tDelivered = useDeliveredText()
  const [state, setState] = useState<DeliveryState | ''>('')
  const paging = useInfiniteQuery(webhookDeliveries(id, state))
  const rows = paging.data?.pages.flatMap(page => page.deliveries) ?? []
  const title = t('logOf', { name })
  return (
    <Dialog title={title} size="full" onClose={onClose}>
      <div className={classes.head}>
        <p className={classes.hint}>{t('logHint')}</p>
        <ShownSecret secret={signingSecret(id)}>
          <Renewal webhookId={id} />
        </ShownSecret>
        <div className={classes.bar}>
          <Test webhookId={id} />
          <Segmented<DeliveryState | ''>
            label={t('filter')}
            value={state}
            options={STATES.map(value => ({ value, label: value ? tDelivered(value) : t('all') }))}
            onChange={setState}
          />
        </div>
      </div>
      <Table
        label={title}
        columns={useColumns()}
        rows={rows}
        keyOf={one => one.id}
        paging={paging}
        empty={
          <Empty icon={<IconWebhook size={26} />} title={t('noDeliveries')}>
            {t('noDeliveriesHint')}
          </Empty>
        }
      />
    </Dialog>
  )
}

function useColumns(): Column<WebhookDelivery>[] {
  const t = useWebhookText()
  const tDelivered = useDeliveredText()
  return [
    { key: 'at', head: tDelivered('at'), cell: deliveredAt },
    { key: 'event', head: t('event'), cell: ({ event, body }) => <Sent body={body}>{t(event)}</Sent> },
    { key: 'outcome', head: tDelivered('outcome'), cell: one => <Outcome of={one} /> },
    { key: 'again', head: '', kind: 'actions', cell: one => <Again delivery={one} /> },
  ]
}

function Again({ delivery }: { delivery: WebhookDelivery }) {
  const t = useWebhookText()
  const { mutate, isPending } = useMutation({ mutationFn: () => sendAgain(delivery.id) })
  return (
    <IconButton
      label={t('again', { event: t(delivery.event), at: deliveredAt(delivery) })}
      disabled={isPending}
      onClick={() => mutate(undefined, { onError: notify.failed })}
    >
      <IconRefresh size={18} />
    </IconButton>
  )
}

function Test({ webhookId }: { webhookId: number }) {
  const t = useWebhookText()
  const { mutate, isPending } = useMutation({ mutationFn: () => testWebhook(webhookId) })
  return (
    <Button
      leftSection={<IconSend size={16} />}
      loading={isPending}
      onClick={() => mutate(undefined, { onSuccess: () => notify.done(t('tested')), onError: notify.failed })}
    >
      {t('test')}
    </Button>
  )
}

function Renewal({ webhookId }: { webhookId: number }) {
  const t = useWebhookText()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({ mutationFn: () => renewSecret(webhookId) })
  const confirmed = () =>
    mutate(undefined, {
      onSuccess: () => notify.done(t('renewed')),
      onError: notify.failed,
      onSettled: () => setAsking(false),
    })
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('renew')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('renewTitle')}
          confirm={t('renewDo')}
          danger
          busy={isPending}
          onConfirm={confirmed}
          onClose={() => setAsking(false)}
        >
          {t('renewHint')}
        </Confirm>
      )}
    </>
  )
}
