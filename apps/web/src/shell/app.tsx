import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { queryClient } from '../platform/query.ts'
import { SessionProvider } from '../platform/session.tsx'
import { resolver, theme } from '../theme/mantine.ts'
import { isDark, useThemeName } from '../theme/themes.ts'
import { Routing } from './routing.tsx'

export function App() {
  const dark = isDark(useThemeName())
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-left" limit={3} containerWidth={380} zIndex={400} />
        <SessionProvider>
          <BrowserRouter>
            <Routing />
          </BrowserRouter>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
