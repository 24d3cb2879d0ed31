import { Component, type ReactNode } from 'react'

interface Props {
  /** Shown where something could not be rendered. */
  instead: ReactNode
  onFail?(): void
  children: ReactNode
}

/** Catches errors of rendering or loading, so that the rest of the window stays. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override componentDidCatch() {
    this.props.onFail?.()
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
