import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBolt,
  IconDatabaseCog,
  IconDownload,
  IconFileCode,
  IconGauge,
  IconListSearch,
  IconPower,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { Machine } from './machine.tsx'
import { ProcessTable } from './process-table.tsx'
import { QueueTable } from './queue-table.tsx'
import { ServerTable } from './server-table.tsx'
import classes from './system.module.css'
import { adjustDb, resources, restart, update } from './systemControl.api.ts'
import { useSystemMenuText } from './systemControl.menu.text.ts'
import { useSystemText } from './systemControl.text.ts'

const UPDATE_SECONDS = 60

/** The installation, for its operator: what runs, how full the machine is, and what may be done about it. */
export default function SystemControlScreen() {
  const t = useSystemText()
  const [asking, setAsking] = useState<'restart' | 'update' | null>(null)
  return (
    <Page title={useSystemMenuText()('system')} actions={<Actions onAsk={setAsking} />}>
      <MachinePart />
      <section className={classes.part}>
        <h2>{t('processes')}</h2>
        <ProcessTable />
      </section>
      <section className={classes.part}>
        <h2>{t('servers')}</h2>
        <ServerTable />
      </section>
      <section className={classes.part}>
        <h2>{t('queues')}</h2>
        <QueueTable />
      </section>
      {asking && <Question what={asking} onClose={() => setAsking(null)} />}
    </Page>
  )
}

function Actions({ onAsk }: { onAsk(what: 'restart' | 'update'): void }) {
  const t = useSystemText()
  const goTo = useGoTo()
  const adjust = () =>
    adjustDb().then(({ found }) => {
      const isWrong = Object.values(found).some(count => count > 0)
      notify.done(isWrong ? t('adjusted', found) : t('nothingWrong'))
    }, notify.failed)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAlertTriangle size={16} />}
        onClick={() => goTo('/installation')}
      >
        {t('installation')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconFileCode size={16} />}
        onClick={() => goTo('/internalDocs')}
      >
        {t('docs')}
      </Button>
      <Button variant="default" leftSection={<IconBolt size={16} />} onClick={() => goTo('/scheduleAction')}>
        {t('actions')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconListSearch size={16} />}
        onClick={() => goTo('/messageLogs')}
      >
        {t('logs')}
      </Button>
      <Button variant="default" leftSection={<IconDatabaseCog size={16} />} onClick={() => void adjust()}>
        {t('adjust')}
      </Button>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => onAsk('update')}>
        {t('update')}
      </Button>
      <Button variant="default" leftSection={<IconPower size={16} />} onClick={() => onAsk('restart')}>
        {t('restart')}
      </Button>
    </>
  )
}

/** Loaded by a button, which also restarts the polling after its limit. */
function MachinePart() {
  const t = useSystemText()
  const client = useQueryClient()
  const [isShown, show] = useState(false)
  const look = () => {
    show(true)
    void client.resetQueries({ queryKey: resources.queryKey })
  }
  return (
    <section className={classes.part} aria-label={t('machine')}>
      <h2>{t('machine')}</h2>
      <Button variant="default" leftSection={<IconGauge size={16} />} onClick={look}>
        {t('resources')}
      </Button>
      {isShown && <Machine />}
    </section>
  )
}

/** Both interrupt all users. */
function Question({ what, onClose }: { what: 'restart' | 'update'; onClose(): void }) {
  const t = useSystemText()
  const isRestart = what === 'restart'
  const go = () =>
    (isRestart ? restart() : update())
      .then(({ isConfigured }) => {
        if (isRestart) notify.done(t('restarting'))
        else notify.done(t('updating'), { seconds: UPDATE_SECONDS })
        if (!isConfigured)
          notify.info(t('notConfigured', { variable: isRestart ? 'RESTART_COMMAND' : 'UPDATE_COMMAND' }))
      }, notify.failed)
      .then(onClose)
  return (
    <Confirm
      title={t(isRestart ? 'restartTitle' : 'updateTitle')}
      confirm={t(what)}
      danger
      onClose={onClose}
      onConfirm={() => void go()}
    >
      {t('restartHint')}
    </Confirm>
  )
}
