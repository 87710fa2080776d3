/** The service's calls that the page makes; a test holds them against the OpenAPI document. */

export const ENDPOINTS = {
  health: "GET /v1/health",
  deck: "GET /v1/deck",
  read: "POST /v1/readings",
  score: "POST /v1/scores",
  solve: "POST /v1/solutions",
};

/** Calls over WebSockets, which OpenAPI cannot describe; a test holds them against the routes. */
export const SOCKETS = {
  live: "/v1/live",
};
