import { Component, type ReactNode } from 'react'
import { ErrorPage } from './ErrorPage'

/** Catches errors outside the router's error boundaries: the error page is shown instead of a white screen. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidMount() {
    // Going back from here has no router to follow it: the page before is loaded afresh.
    window.addEventListener('popstate', () => this.state.error !== undefined && window.location.reload())
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <ErrorPage error={this.state.error} />
  }
}
