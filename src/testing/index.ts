/**
 * For the tests of a shop that uses Effect: a transport with scripted responses.
 */
export {
  FakeTransport,
  type CapturedRequest,
  type FakeTransportService,
  type ScriptedResponse
} from "./FakeTransport.js"
