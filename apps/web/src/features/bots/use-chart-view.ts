import {
  type PointerEvent,
  type UIEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

const LEAST = 0.2
const MOST = 2
const AROUND = 80

/**
 * Scroll and zoom of a chart: the box scrolls, is dragged by its background, and zoomed with Ctrl and the
 * wheel.
 */
export function useChartView({ width, height }: { width: number; height: number }) {
  const box = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(1)
  const scale = useCallback((next: number) => setZoom(Math.min(MOST, Math.max(LEAST, next))), [])
  const fit = useCallback(() => {
    const { clientWidth, clientHeight } = box.current!
    scale(Math.min(1, (clientWidth - AROUND) / width, (clientHeight - AROUND - 30) / height))
  }, [width, height, scale])
  // opened, it fits the box, unless it would be too small to read
  // biome-ignore lint/correctness/useExhaustiveDependencies: later it is fitted on request
  useLayoutEffect(() => {
    fit()
    setZoom(now => Math.max(now, 0.6))
  }, [])
  // what stood in the middle stays there
  const middle = useRef({ x: 0.5, y: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it grew or shrank
  useLayoutEffect(() => {
    const { x, y } = middle.current
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = box.current!
    box.current!.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2)
  }, [zoom])
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      setZoom(now => Math.min(MOST, Math.max(LEAST, now * (event.deltaY < 0 ? 1.1 : 1 / 1.1))))
    }
    const shown = box.current!
    // the browser would zoom the page: only a listener that is not passive keeps it from that
    shown.addEventListener('wheel', onWheel, { passive: false })
    return () => shown.removeEventListener('wheel', onWheel)
  }, [])
  const pan = {
    onScroll({ currentTarget: shown }: UIEvent<HTMLDivElement>) {
      const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = shown
      middle.current = {
        x: (scrollLeft + clientWidth / 2) / scrollWidth,
        y: (scrollTop + clientHeight / 2) / scrollHeight,
      }
    },
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0 || event.pointerType === 'touch') return
      if ((event.target as Element).closest('button')) return
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      const { currentTarget: shown, pointerId, movementX, movementY } = event
      if (!shown.hasPointerCapture(pointerId)) return
      shown.scrollBy(-movementX, -movementY)
    },
  }
  return { box, zoom, scale, fit, pan }
}
