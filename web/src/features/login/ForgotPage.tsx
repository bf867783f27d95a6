export function Page() {
  return <h1>Forgot</h1>
}
