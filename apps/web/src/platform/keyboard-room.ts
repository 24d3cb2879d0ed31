/**
 * Where a keyboard on the screen covers the page instead of making it smaller (iOS), its height is `--keyboard`, by which the frame
 * is shorter: what stands at the bottom stays above it. Returns the end of that.
 */
export function leaveRoomForKeyboard(): () => void {
  const view = window.visualViewport
  if (!view) return () => {}
  const { style } = document.documentElement
  const look = () => {
    // a page that is zoomed in shows less without a keyboard
    const covered = view.scale > 1.01 ? 0 : Math.max(0, Math.round(window.innerHeight - view.height))
    style.setProperty('--keyboard', `${covered > LEAST ? covered : 0}px`)
    // the browser scrolls the field into the view of a page that is as high as before
    if (covered > LEAST && view.offsetTop > 0) window.scrollTo(0, 0)
  }
  look()
  view.addEventListener('resize', look)
  view.addEventListener('scroll', look)
  return () => {
    view.removeEventListener('resize', look)
    view.removeEventListener('scroll', look)
    style.removeProperty('--keyboard')
  }
}

/** Bars of the browser that come and go are lower than a keyboard (px). */
const LEAST = 120
