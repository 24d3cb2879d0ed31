import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { askedBy } from '@balcao/contract/bots.logic.rules.ts'
import { Button } from '@mantine/core'
import {
  IconClockPause,
  IconDeviceMobile,
  IconPlus,
  IconRobot,
  IconSitemap,
  IconWebhook,
} from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay, useUser } from '../../platform/session.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Late } from '../../ui/late.tsx'
import { useListText } from '../../ui/list-screen/list-screen.text.ts'
import { Page } from '../../ui/page.tsx'
import { soon } from '../../ui/soon.tsx'
import classes from './bot-screen.module.css'
import type { Bot } from './bot-script.ts'
import { botSetupList, mayChange, scriptOfBot } from './bots.api.ts'
import { useBotCallText } from './bots.calls.text.ts'
import { useCommandText } from './bots.commands.text.ts'
import { useLogicText } from './bots.logic.text.ts'
import { useBotMenuText } from './bots.menu.text.ts'
import { placeOfBot } from './bots.places.ts'
import { useBotText } from './bots.text.ts'
import { useBotTrialText } from './bots.trial.text.ts'
import { CommandDialog } from './command.dialog.tsx'
import { newBelow } from './command-draft.ts'
import { CommandList } from './command-list.tsx'
import { addOutsideHours } from './outside-hours.ts'
import { ProblemList } from './problem-list.tsx'
import { useMoves } from './use-moves.ts'

const CallsDialog = soon(() => import('./calls.dialog.tsx'))
const ChartDialog = soon(() => import('./chart.dialog.tsx'))
const TrialPhone = soon(() => import('./trial-phone.tsx'))

/** The commands of the bot in the address; without one, of the first bot. */
export default function BotScreen() {
  const { botSetupId } = useParams()
  return botSetupId ? <OneBot key={botSetupId} botSetupId={Number(botSetupId)} /> : <FirstBot />
}

function FirstBot() {
  const t = useBotText()
  const { data } = useInfiniteQuery(botSetupList(''))
  if (!data) return null
  const first = data.pages[0]?.rows.find(({ botType }) => botType === 'common')
  if (first) return <Navigate to={placeOfBot(first)} replace />
  return (
    <Page title={useBotMenuText.read('bots')} back={{ path: '/BotSetups', label: t('toSetups') }}>
      <Empty icon={<IconRobot size={26} />} title={t('none')}>
        {t('noneHint')}
      </Empty>
    </Page>
  )
}

function OneBot({ botSetupId }: { botSetupId: number }) {
  const t = useListText()
  const { data: bot, error } = useQuery(scriptOfBot(botSetupId))
  const back = { path: '/BotSetups', label: useBotText()('toSetups') }
  if (bot) return <Commands bot={bot} back={back} />
  return (
    <Page title={useBotMenuText.read('bots')} back={back}>
      {error ? (
        <Empty icon={<IconRobot size={26} />} title={t('failed')}>
          {errorText(error)}
        </Empty>
      ) : (
        <Late>
          <p role="status">{t('loading')}</p>
        </Late>
      )}
    </Page>
  )
}

function Commands({ bot, back }: { bot: Bot; back: { path: string; label: string } }) {
  const t = useCommandText()
  const trial = useBotTrialText()
  const { setup, commands } = bot
  const may = mayChange(useUser(), setup)
  const moves = useMoves(setup.id, commands)
  const [edited, setEdited] = useState<BotCommand | null>(null)
  const calls = useBotCallText()
  const seesCalls = useMay('administration') && commands.some(({ webhook }) => webhook !== null)
  const [shown, setShown] = useState<'chart' | 'calls' | null>(null)
  const [trying, setTrying] = useState(() => window.matchMedia('(min-width: 1100px)').matches)
  const logic = useLogicText()
  const [adding, setAdding] = useState(false)
  const edit = (command: BotCommand) => setEdited(command)
  const outsideHours = async () => {
    setAdding(true)
    await addOutsideHours(bot, logic('outsideWords')).then(edit, notify.failed)
    setAdding(false)
  }
  const add = (above: string) => setEdited(newBelow(bot, above))
  return (
    <Page
      title={t('commandsOf', { name: setup.name })}
      back={back}
      actions={
        <>
          <Button variant="default" leftSection={<IconSitemap size={16} />} onClick={() => setShown('chart')}>
            {t('hierarchy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDeviceMobile size={16} />}
            aria-pressed={trying}
            onClick={() => setTrying(!trying)}
          >
            {trial('try')}
          </Button>
          {seesCalls && (
            <Button
              variant="default"
              leftSection={<IconWebhook size={16} />}
              onClick={() => setShown('calls')}
            >
              {calls('webhooks')}
            </Button>
          )}
          {may && commands.length > 0 && !askedBy(commands).hours && (
            <Button
              variant="default"
              leftSection={<IconClockPause size={16} />}
              loading={adding}
              onClick={() => void outsideHours()}
            >
              {logic('outsideHours')}
            </Button>
          )}
          {may && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => add('')}>
              {t('add')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.panes} data-trying={trying || undefined}>
        <div className={classes.list}>
          <ProblemList bot={bot} onOpen={edit} />
          <CommandList bot={bot} may={may} moves={moves} onEdit={edit} onAdd={add} />
        </div>
        {trying && <TrialPhone bot={bot} />}
      </div>
      {shown === 'calls' && <CallsDialog setup={setup} onClose={() => setShown(null)} />}
      {shown === 'chart' && (
        <ChartDialog bot={bot} may={may} moves={moves} onEdit={edit} onClose={() => setShown(null)} />
      )}
      {edited && <CommandDialog bot={bot} may={may} command={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}
