import { Component, type ReactNode } from 'react'

interface Props {
  /** What stands where something could not be drawn. */
  instead: ReactNode
  children: ReactNode
}

/** Holds back what fails while it is drawn or loaded, so that the rest of the window stays. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
