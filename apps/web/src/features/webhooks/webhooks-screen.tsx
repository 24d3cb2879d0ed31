import type { Webhook } from '@balcao/contract/webhooks.ts'
import { IconHistory, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { clock } from '../../platform/time.ts'
import { useAnswer } from '../../ui/delivered.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { NoRows } from '../../ui/list-screen/list-states.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DeliveriesDialog } from './deliveries.dialog.tsx'
import { WebhookDialog } from './webhook.dialog.tsx'
import { removeWebhook, webhookList } from './webhooks.api.ts'
import classes from './webhooks.module.css'
import { useWebhookText } from './webhooks.text.ts'

const PATH = '/webhooks'

type Doing = { what: 'log' | 'remove'; webhook: Webhook }

/** Webhooks: systems notified of events in the company. */
export default function WebhooksScreen() {
  const t = useWebhookText()
  const list = useList(webhookList)
  const [doing, setDoing] = useState<Doing | null>(null)
  const stop = () => setDoing(null)
  return (
    <ListScreen
      path={PATH}
      title={t('title')}
      list={list}
      add={t('add')}
      dialog={WebhookDialog}
      back={{ path: '/api', label: t('toApi') }}
    >
      <Table
        label={t('title')}
        columns={useColumns(setDoing)}
        rows={list.rows}
        keyOf={one => one.id}
        paging={list}
        empty={<NoRows list={list} icon={<IconWebhook size={26} />} title={t('none')} hint={t('noneHint')} />}
      />
      {doing?.what === 'log' && <DeliveriesDialog webhook={doing.webhook} onClose={stop} />}
      {doing?.what === 'remove' && (
        <RemoveDialog
          title={t('removeTitle', { name: doing.webhook.name })}
          remove={() => removeWebhook(doing.webhook.id)}
          onClose={stop}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

function useColumns(onDo: (doing: Doing) => void): Column<Webhook>[] {
  const t = useWebhookText()
  return [
    { key: 'name', head: t('name'), kind: 'name', cell: one => one.name },
    { key: 'url', head: t('url'), cell: one => <span className={classes.address}>{one.url}</span> },
    { key: 'events', head: t('events'), cell: one => one.events.map(event => t(event)).join(', ') },
    { key: 'state', head: t('state'), cell: one => <State webhook={one} /> },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: webhook => (
        <>
          <IconButton
            label={t('logOf', { name: webhook.name })}
            onClick={() => onDo({ what: 'log', webhook })}
          >
            <IconHistory size={18} stroke={1.75} />
          </IconButton>
          <RowActions
            name={webhook.name}
            edit={`${PATH}/${webhook.id}`}
            onRemove={() => onDo({ what: 'remove', webhook })}
          />
        </>
      ),
    },
  ]
}

const offTexts = {
  '': 'off',
  failing: 'offFailing',
  gone: 'offGone',
  ownerLeft: 'offLeft',
  secretLost: 'offSecret',
} as const
const moment = (at: string) => clock(at).format('L LT')

/** Whether it is active, and the last failure. */
function State({ webhook: { isActive, offReason, failingSince, lastFailure } }: { webhook: Webhook }) {
  const t = useWebhookText()
  const answerOf = useAnswer()
  return (
    <div className={classes.state}>
      {!isActive ? (
        <Status tone={offReason ? 'error' : 'neutral'}>{t(offTexts[offReason])}</Status>
      ) : failingSince ? (
        <Status tone="warning">{t('failing', { at: moment(failingSince) })}</Status>
      ) : (
        <Status tone="success">{t('on')}</Status>
      )}
      {lastFailure && (
        <small>
          {t('lastFailure')}: {moment(lastFailure.at)}, {answerOf(lastFailure)}
        </small>
      )}
    </div>
  )
}
