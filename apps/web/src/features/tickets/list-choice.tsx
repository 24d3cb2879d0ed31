import type { TargetFilter } from '@balcao/contract/targets.ts'
import { NO_QUEUE } from '@balcao/contract/tickets.rules.ts'
import type { BotFilter, TicketSort } from '@balcao/contract/tickets.ts'
import { Button, Checkbox, FocusTrap, NativeSelect, Stack, Switch } from '@mantine/core'
import { IconLayoutKanban } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useUser, useViewer } from '../../platform/session.tsx'
import { texts } from '../../platform/text.ts'
import { useOrder, usePlace } from './place.ts'
import classes from './ticket-pane.module.css'
import { useTicketText } from './tickets.text.ts'
import { ViewsChoice } from './views-choice.tsx'

const useText = texts({
  bots: ['Bot', 'Bot', 'Bot'],
  withBots: ['Mostrar todos', 'Show all', 'Mostrar todas'],
  withoutBots: [
    'Só os que esperam uma pessoa',
    'Only those that wait for a person',
    'Solo las que esperan a una persona',
  ],
  onlyBots: ['Só os que o bot conduz', 'Only those that the bot leads', 'Solo las que conduce el bot'],
  targets: ['Prazos', 'Targets', 'Plazos'],
  targetFirst: ['Prazo mais próximo primeiro', 'What is due next first', 'Plazo más próximo primero'],
  late: ['Só os atrasados', 'Only those that are late', 'Solo las atrasadas'],
  soon: [
    'Só os que vencem em 30 minutos',
    'Only those due within 30 minutes',
    'Solo las que vencen en 30 minutos',
  ],
  onlyUnread: ['Só com mensagens não lidas', 'Unread messages only', 'Solo con mensajes no leídos'],
  onlyFailed: [
    'Só com mensagens não enviadas',
    'Messages that were not sent only',
    'Solo con mensajes no enviados',
  ],
})

const orders: TicketSort[] = ['newest', 'waiting', 'target']
const targets: TargetFilter[] = ['late', 'soon']
const filters: BotFilter[] = ['only', 'without']

/** The viewer's own queues to choose from, and tickets without one; none chosen means all. */
export default function ListChoice({ onClose }: { onClose(): void }) {
  const t = useTicketText()
  const f = useText()
  const { queues } = useUser()
  const { allowNoQueue } = useViewer().authorization
  const [{ sub, queueIds, unread, failed, bot, target }, go] = usePlace()
  const [order, setOrder] = useOrder()
  return (
    <FocusTrap>
      <Stack gap={16} className={classes.choice}>
        <ViewsChoice onClose={onClose} />
        <NativeSelect
          label={t('sorting')}
          value={order ?? ''}
          onChange={event => {
            const { value } = event.currentTarget
            setOrder(orders.find(one => one === value) ?? null)
          }}
          data={[
            { value: '', label: t('usualOrder') },
            { value: 'newest', label: t('newestFirst') },
            { value: 'waiting', label: t('longestFirst') },
            { value: 'target', label: f('targetFirst') },
          ]}
        />
        <NativeSelect
          label={f('targets')}
          value={target ?? ''}
          onChange={event => go({ target: targets.find(one => one === event.currentTarget.value) })}
          data={[
            { value: '', label: f('withBots') },
            { value: 'late', label: f('late') },
            { value: 'soon', label: f('soon') },
          ]}
        />
        {sub === 'pending' && (
          <NativeSelect
            label={f('bots')}
            value={bot ?? ''}
            onChange={event => go({ bot: filters.find(one => one === event.currentTarget.value) })}
            data={[
              { value: '', label: f('withBots') },
              { value: 'without', label: f('withoutBots') },
              { value: 'only', label: f('onlyBots') },
            ]}
          />
        )}
        <Switch
          label={f('onlyUnread')}
          checked={unread === true}
          onChange={event => go({ unread: event.currentTarget.checked || undefined })}
        />
        <Switch
          label={f('onlyFailed')}
          checked={failed === true}
          onChange={event => go({ failed: event.currentTarget.checked || undefined })}
        />
        <Checkbox.Group
          value={(queueIds ?? []).map(String)}
          onChange={values => go({ queueIds: values.length > 0 ? values.map(Number) : undefined })}
          label={queueIds ? t('queues') : t('allQueues')}
        >
          <Stack gap={8} mt={8}>
            {queues.map(queue => (
              <Checkbox key={queue.id} value={String(queue.id)} label={queue.name} />
            ))}
            {allowNoQueue === 1 && <Checkbox value={String(NO_QUEUE)} label={t('noQueue')} />}
          </Stack>
        </Checkbox.Group>
        <Button component={Link} to="/kanban" variant="default" leftSection={<IconLayoutKanban size={18} />}>
          {t('board')}
        </Button>
      </Stack>
    </FocusTrap>
  )
}
