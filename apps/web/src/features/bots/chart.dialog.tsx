import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { Button, CloseButton, Modal } from '@mantine/core'
import { IconArrowBackUp, IconArrowsMinimize, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { asScript, type Bot } from './bot-script.ts'
import { chartOf } from './bots.chart.ts'
import { useCommandText } from './bots.commands.text.ts'
import { useBotText } from './bots.text.ts'
import classes from './chart.module.css'
import { ChartTree } from './chart-tree.tsx'
import { Kind, kindNumbers } from './command-kinds.tsx'
import { useChartView } from './use-chart-view.ts'
import type { Moves } from './use-moves.ts'

interface Props {
  bot: Bot
  may: boolean
  moves: Moves
  onEdit(command: BotCommand): void
  onClose(): void
}

/** The tree of commands as a chart (BOTCMD-003): zoomed, navigated, edited and reordered. */
export default function ChartDialog(props: Props) {
  const { onClose } = props
  return (
    <Modal.Root opened fullScreen size="100%" onClose={onClose} padding={0}>
      <Modal.Overlay />
      <Modal.Content className={classes.dialog}>
        <ChartWindow {...props} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** Mounted only together with the dialog, whose size it measures. */
function ChartWindow({ bot, may, moves, onEdit, onClose }: Props) {
  const t = useCommandText()
  const chart = useMemo(() => chartOf(asScript(bot)), [bot])
  const { box, zoom, scale, fit, pan } = useChartView(chart)
  const undone = (event: KeyboardEvent) => {
    if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    moves.undo?.()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut, beside the button that does the same
    <div className={classes.window} onKeyDown={undone}>
      <header className={classes.head}>
        <ChartTitle bot={bot} levels={chart.levels} />
        <IconButton frame label={t('undo')} shortcut="Ctrl+Z" disabled={!moves.undo} onClick={moves.undo}>
          <IconArrowBackUp size={18} stroke={1.75} />
        </IconButton>
        <div className={classes.zoom}>
          <IconButton label={t('zoomOut')} onClick={() => scale(zoom / 1.2)}>
            <IconMinus size={18} />
          </IconButton>
          <output>{Math.round(zoom * 100)} %</output>
          <IconButton label={t('zoomIn')} onClick={() => scale(zoom * 1.2)}>
            <IconPlus size={18} />
          </IconButton>
        </div>
        <Button variant="default" leftSection={<IconArrowsMinimize size={16} />} onClick={fit}>
          {t('fit')}
        </Button>
        <CloseButton size="lg" aria-label={t('close')} onClick={onClose} />
      </header>
      <div ref={box} className={classes.view} {...pan}>
        <div style={{ width: chart.width * zoom + 80, height: chart.height * zoom + 110 }}>
          <div className={classes.plane} style={{ transform: `translate(40px, 36px) scale(${zoom})` }}>
            <ChartTree bot={bot} chart={chart} moves={may ? moves : null} onEdit={onEdit} />
          </div>
        </div>
      </div>
      <footer className={classes.legend}>
        {kindNumbers.map(type => (
          <Kind key={type} type={type} />
        ))}
        {may && <span className={classes.keys}>{t('keysHint')}</span>}
      </footer>
    </div>
  )
}

function ChartTitle({ bot: { setup, commands }, levels }: { bot: Bot; levels: number }) {
  const t = useCommandText()
  const off = useBotText()('off')
  const counted = t('counted', { count: commands.length, levels: t('levels', { count: levels }) })
  return (
    <div className={classes.title}>
      <Modal.Title>{t('hierarchyOf', { name: setup.name })}</Modal.Title>
      <p>
        {counted} · {setup.whatsapps.map(({ name }) => name).join(', ') || off}
      </p>
    </div>
  )
}
