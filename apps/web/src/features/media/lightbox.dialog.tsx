import { FocusTrap, Portal } from '@mantine/core'
import { IconDownload, IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { addressOfBytes, saveBytes } from '../../platform/bytes.ts'
import { texts } from '../../platform/text.ts'
import { useBackCloses } from '../../ui/back-closes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './lightbox.module.css'
import { useMediaText } from './media.text.ts'

const MOST = 6
const STEP = 1.4
const MOVE = 80

const useText = texts({ close: ['Fechar', 'Close', 'Cerrar'] })

interface Props {
  file: Blob
  name: string
  words: string
  onClose(): void
}

/** A picture over everything: wheel, + and − zoom, dragging and arrows move, 0 fits, Escape closes. */
export default function Lightbox({ file, name, words, onClose }: Props) {
  const t = useMediaText()
  const close = useText()('close')
  const [before] = useState(() => document.activeElement)
  const { view, zoom, move, fit } = useView()
  useBackCloses(true, onClose)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
  const keys = new Map([
    ['Escape', onClose],
    ['+', () => zoom(STEP)],
    ['=', () => zoom(STEP)],
    ['-', () => zoom(1 / STEP)],
    ['0', fit],
    ['ArrowLeft', () => move(MOVE, 0)],
    ['ArrowRight', () => move(-MOVE, 0)],
    ['ArrowUp', () => move(0, MOVE)],
    ['ArrowDown', () => move(0, -MOVE)],
  ])
  return (
    <Portal>
      <FocusTrap>
        <div
          className={classes.over}
          role="dialog"
          aria-modal="true"
          aria-label={name}
          onKeyDown={event => {
            const act = keys.get(event.key)
            if (!act) return
            event.stopPropagation()
            event.preventDefault()
            act()
          }}
        >
          <header className={classes.bar}>
            <span className="one-line">{name}</span>
            <IconButton frame label={t('zoomOut')} shortcut="−" onClick={() => zoom(1 / STEP)}>
              <IconZoomOut size={20} stroke={1.75} />
            </IconButton>
            <IconButton frame label={t('zoomIn')} shortcut="+" onClick={() => zoom(STEP)}>
              <IconZoomIn size={20} stroke={1.75} />
            </IconButton>
            <IconButton frame label={t('download', { name })} onClick={() => saveBytes(file, name)}>
              <IconDownload size={20} stroke={1.75} />
            </IconButton>
            <IconButton frame label={close} shortcut="Esc" onClick={onClose}>
              <IconX size={20} stroke={1.75} />
            </IconButton>
          </header>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the pointer’s way to what the keys do */}
          <div
            className={classes.stage}
            data-zoomed={view.scale > 1 || undefined}
            onWheel={event => zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15)}
            onPointerMove={event => {
              if (event.buttons === 1) move(event.movementX, event.movementY)
            }}
            onDoubleClick={() => (view.scale > 1 ? fit() : zoom(2.5))}
          >
            <img
              src={addressOfBytes(file)}
              alt={words || name}
              draggable={false}
              style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
            />
          </div>
          {words && <p className={classes.words}>{words}</p>}
        </div>
      </FocusTrap>
    </Portal>
  )
}

const fitted = { scale: 1, x: 0, y: 0 }

function useView() {
  const [view, setView] = useState(fitted)
  const zoom = (by: number) =>
    setView(now => {
      const scale = Math.min(MOST, Math.max(1, now.scale * by))
      return scale === 1 ? fitted : { ...now, scale }
    })
  const move = (x: number, y: number) =>
    setView(now => (now.scale === 1 ? now : { ...now, x: now.x + x, y: now.y + y }))
  return { view, zoom, move, fit: () => setView(fitted) }
}
