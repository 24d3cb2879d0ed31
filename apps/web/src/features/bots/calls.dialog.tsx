import type { BotCall } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import { IconRefresh, IconWebhook } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { deliveredAt, Outcome, Sent, ShownSecret, useDeliveredText } from '../../ui/delivered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { botCalls, callAgain, webhookSecret } from './bots.api.ts'
import { useBotCallText } from './bots.calls.text.ts'
import classes from './calls.module.css'

/** Calls of a bot's commands to other systems and their results; not pushed, so they are polled. */
export default function CallsDialog({ setup, onClose }: { setup: BotSetup; onClose(): void }) {
  const t = useBotCallText()
  const paging = useInfiniteQuery(botCalls(setup.id))
  const rows = paging.data?.pages.flatMap(page => page.calls) ?? []
  const title = t('webhooksOf', { name: setup.name })
  return (
    <Dialog title={title} size="full" onClose={onClose}>
      <div className={classes.head}>
        <p className={classes.hint}>{t('hint')}</p>
        <ShownSecret secret={webhookSecret(setup.id)} />
      </div>
      <Table
        label={title}
        columns={useColumns()}
        rows={rows}
        keyOf={({ id }) => id}
        paging={paging}
        empty={
          <Empty icon={<IconWebhook size={26} />} title={t('none')}>
            {t('noneHint')}
          </Empty>
        }
      />
    </Dialog>
  )
}

function useColumns(): Column<BotCall>[] {
  const t = useBotCallText()
  const tDelivered = useDeliveredText()
  return [
    { key: 'at', head: tDelivered('at'), cell: deliveredAt },
    { key: 'command', head: t('command'), cell: ({ number }) => number },
    { key: 'address', head: t('address'), cell: ({ url, body }) => <Sent body={body}>{url}</Sent> },
    { key: 'outcome', head: tDelivered('outcome'), cell: call => <Outcome of={call} /> },
    { key: 'again', head: '', kind: 'actions', cell: call => <Again call={call} /> },
  ]
}

function Again({ call }: { call: BotCall }) {
  const { id, number, botSetupId } = call
  const t = useBotCallText()
  const { mutate, isPending } = useMutation({ mutationFn: () => callAgain(botSetupId, id) })
  return (
    <IconButton
      label={t('againOf', { number, at: deliveredAt(call) })}
      disabled={isPending}
      onClick={() => mutate()}
    >
      <IconRefresh size={18} />
    </IconButton>
  )
}
